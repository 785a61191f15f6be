package main

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
)

// What the generic operators do.
const (
	opCompare   = "comparison"  // < and <=, > and >=, == and !=
	opCondition = "condition"   // always true, always false, negated; one side of && and ||
	opSign      = "sign"        // + and -, -x and x, a x b and b x a
	opFactor    = "factor"      // * and /
	opTerm      = "term"        // one term of a sum
	opExtreme   = "min and max" // min and max swapped, or one of their arguments only
	opRounding  = "rounding"    // no outward rounding, or the other way
	opEnds      = "ends"        // the other end of an interval or a box
	opConstant  = "constant"    // 2 for 1, 1 for 0, ...
	opAbs       = "absolute"    // x for |x|
	opBool      = "truth value" // true and false
	opRemove    = "statement"   // without its effect
	opLoop      = "loop"        // without its last turn
	semantic    = "semantic"    // an entry of the list of entries
)

// generate returns all generic mutants of a file.
func generate(p *pkg, f *file) []*mutant {
	g := &generator{pkg: p, file: f}
	for _, d := range f.tree.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Body != nil {
				g.fn = funcName(d)
				g.walk(d.Body)
			}
		case *ast.GenDecl:
			if d.Tok == token.CONST || d.Tok == token.VAR {
				g.fn = ""
				g.walk(d)
			}
		}
	}
	seen := make(map[string]int)
	for _, m := range g.out {
		name := m.name()
		m.nth = seen[name]
		seen[name]++
	}
	return g.out
}

// funcName returns "Type.Method" or "function".
func funcName(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return d.Name.Name
	}
	t := d.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
			continue
		case *ast.IndexExpr:
			t = x.X
			continue
		case *ast.Ident:
			return x.Name + "." + d.Name.Name
		}
		return d.Name.Name
	}
}

type generator struct {
	pkg  *pkg
	file *file
	fn   string
	out  []*mutant
}

func (g *generator) add(op string, n ast.Node, with string) { g.addInstead(op, n, with, "") }

func (g *generator) addInstead(op string, n ast.Node, with, instead string) {
	g.out = append(g.out, newMutant(g.pkg, g.file, g.fn, op, n, with, instead))
}

func (g *generator) text(n ast.Node) string { return g.file.text(n) }

// walk visits everything below n.
func (g *generator) walk(n ast.Node) {
	skip := make(map[ast.Node]bool)
	ast.Inspect(n, func(n ast.Node) bool {
		if n == nil || skip[n] {
			return false
		}
		switch n := n.(type) {
		case *ast.ImportSpec, *ast.Field:
			return false
		case *ast.CallExpr:
			if g.says(n) {
				return false
			}
			if g.text(n.Fun) == "math.Inf" { // only the sign of its argument counts
				skip[n.Args[0]] = true
			}
			g.call(n)
		case *ast.ForStmt:
			if n.Post != nil {
				skip[n.Post] = true // removed, the loop never ends
			}
			g.loop(n)
		case *ast.IndexExpr:
			skip[n.Index] = true // out of range or a type argument
		case *ast.ArrayType:
			return false
		case *ast.BinaryExpr:
			if g.isTiny(n) || g.inflates(n) {
				return false
			}
			g.binary(n)
		case *ast.UnaryExpr:
			g.unary(n)
		case *ast.IfStmt:
			g.condition(n.Cond)
		case *ast.RangeStmt:
			g.rangeOver(n)
		case *ast.AssignStmt:
			g.assign(n)
		case *ast.ExprStmt:
			g.add(opRemove, n, "{}")
		case *ast.IncDecStmt:
			if g.counts(n.X) {
				return false
			}
			g.add(opRemove, n, "{}")
		case *ast.BranchStmt:
			if n.Label == nil && n.Tok == token.CONTINUE {
				g.add(opRemove, n, "{}")
			}
		case *ast.BasicLit:
			g.literal(n)
		case *ast.Ident:
			g.ident(n)
		}
		return true
	})
}

// says reports whether a call writes a message: its arguments decide nothing.
func (g *generator) says(c *ast.CallExpr) bool {
	name := g.text(c.Fun)
	return strings.HasPrefix(name, "fmt.") || strings.HasPrefix(name, "errors.") || name == "panic"
}

func (g *generator) isNumber(e ast.Expr) bool {
	t := g.pkg.types.TypeOf(e)
	b, ok := types.Default(orInvalid(t)).Underlying().(*types.Basic)
	return ok && b.Info()&types.IsNumeric != 0
}

// counts reports whether an expression is a figure about the work done, which decides
// nothing.
func (g *generator) counts(e ast.Expr) bool { return strings.Contains(g.text(e), ".work.") }

// isText reports whether an expression is a string: a message, which decides nothing.
func (g *generator) isText(e ast.Expr) bool {
	b, ok := orInvalid(g.pkg.types.TypeOf(e)).Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

func orInvalid(t types.Type) types.Type {
	if t == nil {
		return types.Typ[types.Invalid]
	}
	return t
}

// isConst reports whether an expression has a value that the compiler knows.
func (g *generator) isConst(e ast.Expr) bool { return g.pkg.types.Types[e].Value != nil }

var swapped = map[token.Token]string{
	token.LSS: "<=", token.LEQ: "<", token.GTR: ">=", token.GEQ: ">", token.EQL: "!=", token.NEQ: "==",
	token.ADD: "-", token.SUB: "+", token.MUL: "/", token.QUO: "*",
}

func (g *generator) binary(n *ast.BinaryExpr) {
	x, y := g.text(n.X), g.text(n.Y)
	switch n.Op {
	case token.LSS, token.LEQ, token.GTR, token.GEQ, token.EQL, token.NEQ:
		g.add(opCompare, n, x+" "+swapped[n.Op]+" "+y)
	case token.LAND:
		g.add(opCondition, n, "("+x+" && (("+y+") || true))")
		g.add(opCondition, n, "((("+x+") || true) && "+y+")")
	case token.LOR:
		g.add(opCondition, n, "("+x+" || (("+y+") && false))")
		g.add(opCondition, n, "((("+x+") && false) || "+y+")")
	case token.ADD, token.SUB:
		if !g.isNumber(n) {
			return
		}
		g.add(opSign, n, "("+x+" "+swapped[n.Op]+" "+y+")")
		g.addInstead(opTerm, n, x, "mutationKeep("+x+", "+y+")")
		if n.Op == token.ADD {
			g.addInstead(opTerm, n, "("+y+")", "mutationKeep("+y+", "+x+")")
		}
	case token.MUL, token.QUO:
		if !g.isNumber(n) || g.isConst(n) {
			return
		}
		if n.Op == token.MUL && g.inflates(n.Y) {
			g.add(opRounding, n, x)
			return
		}
		if n.Op == token.MUL && g.inflates(n.X) {
			g.add(opRounding, n, y)
			return
		}
		g.add(opFactor, n, "("+x+" "+swapped[n.Op]+" "+y+")")
	}
}

// isTiny reports whether an expression is a constant of rounding, such as 8*u. Bounds of
// rounding are several times what can be met, so that no test tells 8 from 4.
func (g *generator) isTiny(e ast.Expr) bool {
	v := g.pkg.types.Types[e].Value
	if v == nil || v.Kind() != constant.Float {
		return false
	}
	f, _ := constant.Float64Val(v)
	return f != 0 && max(f, -f) < 1e-9
}

// inflates reports whether a factor is 1 up to a few rounding errors: 1 + 8*u or a
// constant like it.
func (g *generator) inflates(e ast.Expr) bool {
	v := g.pkg.types.Types[e].Value
	if v == nil || v.Kind() != constant.Float && v.Kind() != constant.Int {
		return false
	}
	f, _ := constant.Float64Val(v)
	return f != 1 && f > 1-1e-6 && f < 1+1e-6
}

func (g *generator) unary(n *ast.UnaryExpr) {
	switch {
	case n.Op == token.SUB && !g.isConst(n.X), n.Op == token.NOT:
		g.add(map[token.Token]string{token.SUB: opSign, token.NOT: opCondition}[n.Op], n, "("+g.text(n.X)+")")
	}
}

func (g *generator) condition(c ast.Expr) {
	s := g.text(c)
	g.add(opCondition, c, "(("+s+") || true)")
	g.add(opCondition, c, "(("+s+") && false)")
	g.add(opCondition, c, "(!("+s+"))")
}

func (g *generator) loop(n *ast.ForStmt) {
	if c, ok := n.Cond.(*ast.BinaryExpr); ok && (c.Op == token.LSS || c.Op == token.LEQ) && g.isNumber(c.Y) {
		g.add(opLoop, c, g.text(c.X)+" "+c.Op.String()+" "+g.text(c.Y)+"-1")
	}
}

func (g *generator) rangeOver(n *ast.RangeStmt) {
	switch n.X.(type) {
	case *ast.Ident, *ast.SelectorExpr, *ast.SliceExpr:
	default:
		return
	}
	x := g.text(n.X)
	switch t := orInvalid(g.pkg.types.TypeOf(n.X)).Underlying().(type) {
	case *types.Slice, *types.Array:
		g.add(opLoop, n.X, x+"[:max(0, len("+x+")-1)]")
	case *types.Basic:
		if t.Info()&types.IsInteger != 0 {
			g.add(opLoop, n.X, "("+x+")-1")
		}
	}
}

func (g *generator) assign(n *ast.AssignStmt) {
	if n.Tok == token.DEFINE {
		return
	}
	var blanks, values []string
	for range n.Lhs {
		blanks = append(blanks, "_")
	}
	for _, v := range n.Rhs {
		values = append(values, g.text(v))
	}
	if g.text(n.Lhs[0]) == "_" || g.isText(n.Lhs[0]) || g.counts(n.Lhs[0]) {
		return
	}
	g.add(opRemove, n, strings.Join(blanks, ", ")+" = "+strings.Join(values, ", "))
	switch n.Tok {
	case token.ADD_ASSIGN, token.SUB_ASSIGN:
		if g.isNumber(n.Lhs[0]) {
			op := map[token.Token]string{token.ADD_ASSIGN: " -= ", token.SUB_ASSIGN: " += "}[n.Tok]
			g.add(opSign, n, g.text(n.Lhs[0])+op+"("+values[0]+")")
			g.add(opTerm, n, g.text(n.Lhs[0])+" = "+values[0])
		}
	}
}

// Functions by what they do, by the name that they are called by, without the
// package or the receiver.
var (
	outwardCalls = map[string]string{"up": "down", "down": "up", "above": "below", "below": "above", "stepUp": "", "Nextafter": ""}
	opposites    = map[string]string{"Add": "Sub", "Sub": "Add", "add": "sub", "sub": "add", "min": "max", "max": "min", "Min": "Max", "Max": "Min"}
)

func (g *generator) call(n *ast.CallExpr) {
	prefix, name := "", g.text(n.Fun)
	sel, _ := n.Fun.(*ast.SelectorExpr)
	if sel != nil {
		prefix, name = g.text(sel.X)+".", sel.Sel.Name
	}
	var args []string
	for _, a := range n.Args {
		args = append(args, g.text(a))
	}
	all := "(" + strings.Join(args, ", ") + ")"
	if other, ok := outwardCalls[name]; ok && len(args) > 0 {
		g.addInstead(opRounding, n, "("+args[0]+")", "mutationKeep("+strings.Join(append(args, args[0])[:2], ", ")+")")
		if other != "" {
			g.add(opRounding, n, prefix+other+all)
		}
		return
	}
	switch {
	case slices.Contains([]string{"min", "max", "Min", "Max"}, name) && len(args) > 1:
		g.add(opExtreme, n, prefix+opposites[name]+all)
		for i := range args {
			rest := slices.Delete(slices.Clone(args), i, i+1)
			if len(rest) == 1 {
				g.addInstead(opExtreme, n, "("+rest[0]+")", "mutationKeep("+rest[0]+", "+args[i]+")")
			} else {
				g.add(opExtreme, n, prefix+name+"("+strings.Join(rest, ", ")+")")
			}
		}
	case opposites[name] != "" && len(args) == 2: // r3.Add(a, b)
		g.add(opSign, n, prefix+opposites[name]+all)
		for i := range args {
			g.addInstead(opTerm, n, args[i], "mutationKeep("+args[i]+", "+args[1-i]+")")
		}
	case opposites[name] != "" && sel != nil && len(args) == 1: // a.Add(b)
		g.add(opSign, n, prefix+opposites[name]+all)
		g.addInstead(opTerm, n, g.text(sel.X), "mutationKeep("+g.text(sel.X)+", "+args[0]+")")
	case (name == "Cross" || name == "cross") && len(args) == 2:
		g.add(opSign, n, prefix+name+"("+args[1]+", "+args[0]+")")
	case (name == "Abs" || name == "abs") && len(args) == 1:
		g.add(opAbs, n, "("+args[0]+")")
	case name == "Inf" && len(args) == 1:
		g.add(opSign, n, "math.Inf(-("+args[0]+"))")
	}
}

// literal changes a number.
func (g *generator) literal(n *ast.BasicLit) {
	var with []string
	switch n.Kind {
	case token.INT:
		v, err := strconv.ParseInt(n.Value, 0, 64)
		if err != nil {
			return
		}
		switch v {
		case 0:
			with = []string{"1"}
		case 1:
			with = []string{"0"}
		default:
			with = []string{strconv.FormatInt(v/2, 10)}
		}
	case token.FLOAT:
		v, err := strconv.ParseFloat(strings.ReplaceAll(n.Value, "_", ""), 64)
		switch {
		case err != nil:
			return
		case v == 0:
			with = []string{"1.0"}
		case v == 0.5:
			with = []string{"1.0", "0.25"}
		default:
			with = []string{"(" + n.Value + "*0.5)"}
		}
	}
	for _, w := range with {
		g.add(opConstant, n, w)
	}
}

var ends = map[string]string{
	"lo": "hi", "hi": "lo", "Lo": "Hi", "Hi": "Lo", "Min": "Max", "Max": "Min", "first": "last", "last": "first",
	"from": "to", "to": "from", "start": "end", "end": "start", "ea": "eb", "eb": "ea",
}

func (g *generator) ident(n *ast.Ident) {
	switch n.Name {
	case "true":
		g.add(opBool, n, "false")
	case "false":
		g.add(opBool, n, "true")
	default:
		other, ok := ends[n.Name]
		if _, used := g.pkg.types.Uses[n].(*types.Var); ok && used {
			g.add(opEnds, n, other)
		}
	}
}
