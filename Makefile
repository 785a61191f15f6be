# make        lists what can be made here.
# Everything stays in this folder, but for the Debian packages that setup adds.

SHELL := /bin/bash
.DEFAULT_GOAL := help

GO       ?= go
FUZZTIME ?= 2s

# The newest that build with the Go of go.mod and later ones.
GOFUMPT     := mvdan.cc/gofumpt@v0.12.0
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2

# ./... leaves out folders with a dot.
PACKAGES := ./... ./.ci/summary ./.ci/reads
# The packages that differ by the build tag.
TAGGED = $(shell grep -rl --include='*.go' --exclude-dir=lab --exclude-dir=vendor '^//go:build.*\(cyclone\|fastdds\)' . | xargs -n1 dirname | sort -u)
# The packages whose code or tests start goroutines or guard what several use.
CONCURRENT = $(shell grep -rlE --include='*.go' --exclude-dir=lab --exclude-dir=vendor --exclude-dir=adapters '^[[:space:]]*(go [A-Za-z_]|"sync"$$)|"sync/atomic"|[.]Go.func|t[.]Parallel' . | xargs -n1 dirname | sort -u)

# Evaluated when a recipe runs, so after setup.
TAGS = $(shell packaging/tags)
# FASTDDS=1 builds and tests with Fast DDS, too.
export FASTDDS

.PHONY: help
help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | while IFS=$$'\t' read -r t d; do printf '  make %-11s %s\n' "$$t" "$$d"; done

.PHONY: setup
setup: ## install the Debian packages that the binary needs and that are missing
	@.ci/setup "$(GO)" binary

.PHONY: setup-tests
setup-tests: ## also install the Debian packages that the tests need
	@.ci/setup "$(GO)" tests

.PHONY: setup-lab
setup-lab: ## also install the Debian packages that the lab needs: libraries for comparison
	@.ci/setup "$(GO)" lab

# What runs often, for the compiler to inline: some 6 % of a check. It is measured on
# robots and worlds that no comparison in the lab has.
HOT := cmd/firstcontact/hot.pgo

.PHONY: build
build: setup ## build bin/firstcontact, with Cyclone DDS where it is installed, and with Fast DDS where FASTDDS=1
	$(GO) build $(TAGS) -pgo=$(HOT) -buildvcs=false -ldflags "-X main.revision=$(REVISION)" -o bin/firstcontact ./cmd/firstcontact

.PHONY: library
library: ## build bin/libfirstcontact.so and its headers, for programs in C and C++
	@.ci/setup "$(GO)" library
	@GO="$(GO)" packaging/library "$(VERSION)" bin

PYTHON ?= /usr/bin/python3
.PHONY: wheel
wheel: library ## make a package for Python with the library in it, in build
	@mkdir -p build
	$(PYTHON) -m pip wheel --quiet --no-index --no-deps --no-cache-dir --disable-pip-version-check --wheel-dir build ./python

.PHONY: python
python: library ## check the types of the Python package, run its tests, install it and run its example
	@.ci/setup "$(GO)" python
	@.ci/python "$(PYTHON)"
.PHONY: install-library
install-library: ## install what library built: library, headers, files for pkg-config and CMake. PREFIX=/usr/local DESTDIR=
	@packaging/install-library "$(VERSION)" "$(PREFIX)" "$(DESTDIR)"

# In a clone, the commit; an archive of make dist has files for it.
REVISION = $(shell cat REVISION 2>/dev/null || git describe --always --dirty 2>/dev/null)
VERSION  = $(shell cat VERSION 2>/dev/null || packaging/version)

PREFIX  ?= /usr/local
DESTDIR ?=
.PHONY: install
install: ## install what build made: command, completion, manual pages, launch file, examples. PREFIX=/usr/local DESTDIR=
	@packaging/install "$(PREFIX)" "$(DESTDIR)"

.PHONY: deb
deb: ## make Debian packages in build: of command and node, of the library, of its headers
	@.ci/setup "$(GO)" deb
	@$(MAKE) --no-print-directory build GOFLAGS="$(GOFLAGS) -trimpath -buildmode=pie"
	@$(MAKE) --no-print-directory library
	@GO="$(GO)" packaging/deb "$(VERSION)"

.PHONY: dist
dist: ## make an archive of the last commit in build, with its modules, that builds without network
	@GO="$(GO)" packaging/dist "$(VERSION)"

.PHONY: hot
hot: ## record the compiler's profile again, for build (needs ../shared)
	$(GO) test -c -trimpath -o /tmp/hot.test ./ccd
	cd ccd && /tmp/hot.test -test.run xxx -test.bench Training -test.benchtime 4s -test.cpuprofile /tmp/hot.pgo
	zcat /tmp/hot.pgo | sed s:/tmp/hot.test:ccd/hot__test: | gzip -n9 >$(HOT) # of the same length
	rm /tmp/hot.test /tmp/hot.pgo

.PHONY: test
test: setup-tests ## run the tests and summarize them. PACKAGES="./urdf ./node/..." selects packages; TESTFLAGS=-short passes flags
	@.ci/test "$(GO)" "$(TAGS)" $(TESTFLAGS) -- $(PACKAGES)

.PHONY: doors
doors: ## type the commands of docs/library.md and docs/python.md on a minimal machine: programs in C, with OMPL, in Python (as root)
	@.ci/fresh doors

.PHONY: lab
lab: setup-lab ## run the lab's tests: judges built on other libraries, short campaigns, the papers' methods
	@cd lab && ../.ci/test "$(GO)" "$(TAGS)" -- ./...

.PHONY: adapters
adapters: ## check and test the adapter for rclgo against a stand-in of rclgo
	cd adapters/rclgo && $(GO) mod tidy -diff && $(GO) vet ./... && $(GO) test ./...

.PHONY: demo
demo: build ## monitor a humanoid and predict its contacts; SABOTAGE=1 must fail
	bin/firstcontact demo $(if $(SABOTAGE),--sabotage)

.PHONY: lint
lint: setup ## go.mod, gofumpt, staticcheck, and go vet with and without Cyclone DDS (FASTDDS=1: and Fast DDS)
	$(GO) mod tidy -diff
	$(GO) mod verify
	@unformatted=$$($(GO) run $(GOFUMPT) -l .) && if [[ -n $$unformatted ]]; then \
		echo "not formatted; go run $(GOFUMPT) -w ."; echo "$$unformatted"; exit 1; fi
	CGO_ENABLED=0 $(GO) vet $(PACKAGES)
	$(if $(TAGS),$(GO) vet $(TAGS) $(TAGGED))
	CGO_ENABLED=0 $(GO) vet -tags nats ./cmd/firstcontact/...
	$(GO) vet ./capi/...
	$(staticcheck_cgo) $(TAGS) $(PACKAGES)
	cd lab && $(GO) mod tidy -diff
	cd lab && $(GO) vet $(TAGS) ./... && $(staticcheck_cgo) $(TAGS) ./...

# With cgo, and with Cyclone DDS where it is there: each configuration takes it a minute.
staticcheck_cgo = CGO_ENABLED=0 $(GO) run -exec 'env CGO_ENABLED=1' $(STATICCHECK)

# Packages that compute for minutes under the race detector. Those of the engine and of geometry
# start no goroutines, and several use them in the tests of ccd, internal/engine/model, urdf and
# selfcollision/pairproof; a picture is compared with that of one goroutine.
COMPUTING := ./internal/engine/romtree ./internal/engine/spacetime ./internal/picture ./internal/picture/raster \
	./internal/geometry/bvh ./internal/geometry/convex ./internal/geometry/mesh

# The NATS server that these tests start has a data race of its own (v2.11.9, where a stream is updated).
RACES_OF_OTHERS := ./internal/batch/queue

.PHONY: race
race: setup-tests ## run the tests of the command and of packages with goroutines or locks under the race detector
	@.ci/test "$(GO)" "$(TAGS)" -race -- $(filter-out $(COMPUTING) $(RACES_OF_OTHERS),$(CONCURRENT)) ./cmd/firstcontact/...

.PHONY: fuzz
fuzz: setup-tests ## run every fuzz target for FUZZTIME (2s)
	@.ci/fuzz "$(GO)" "$(FUZZTIME)" $(TAGS)

.PHONY: soak
soak: setup-lab ## send every motion-capture clip through the node (needs ../shared)
	cd lab && FIRSTCONTACT_SOAK=1 $(GO) test $(TAGS) -count=1 -timeout 60m -v -run Soak ./soak

MINUTES ?=
EACH    ?= 10s
.PHONY: hostile
hostile: setup ## attack the node for a minute and judge its states. MINUTES=30 SEED=1: random attacks of that duration; ONLY=name: those attacks, EACH=10s; SOAK=60: minutes without attacks
	cd lab && $(GO) run $(TAGS) ./hostile $(if $(SOAK),-soak -minutes $(SOAK),$(if $(MINUTES),-random -minutes $(MINUTES) $(if $(SEED),-seed $(SEED)),$(if $(ONLY),-only '$(ONLY)' -each $(EACH),-short)))

.PHONY: fastdds
fastdds: ## test the transport on Fast DDS, alone and against Cyclone DDS, and the node with peers on it
	@FASTDDS=1 .ci/setup "$(GO)" tests
	@FASTDDS=1 packaging/tags | grep -q fastdds || { echo "Fast DDS 2 is not installed" >&2; exit 1; }
	$(GO) test -count=1 -parallel 4 $$(FASTDDS=1 packaging/tags) -run 'TestTransport|TestWith|TestSecured|TestOverFastDDS|TestFastDDSPeer' ./node/ros/fastdds ./node

# The packages that differ by the build tag gl, which needs libraries of graphics.
GRAPHICS := ./internal/graphics/... ./cmd/firstcontact/...
.PHONY: graphics
graphics: ## test culling on a graphics processor, or on Mesa's software renderer, and windows
	@.ci/setup "$(GO)" binary
	@.ci/setup "$(GO)" graphics
	$(GO) vet -tags gl $(GRAPHICS)
	$(staticcheck_cgo) -tags gl ./internal/graphics/...
	$(GO) test -count=1 -tags gl ./internal/graphics/offscreen ./internal/graphics/sweptgl
	env -u DISPLAY $(GO) test -count=1 -tags gl ./internal/graphics/window
	xvfb-run -a $(GO) test -count=1 -tags gl ./internal/graphics/window
	cd lab && $(GO) vet -tags gl,cyclone ./live ./sweptgl
	cd lab && $(GO) test -count=1 -tags gl,cyclone -run Window ./live

CASES ?= 100000
.PHONY: swept-gl
swept-gl: ## try to make culling on a graphics processor drop one of CASES grazing contacts, and measure it
	@.ci/setup "$(GO)" graphics
	cd lab && $(GO) run -tags gl ./sweptgl -cases $(CASES)

GOALS ?= 10000
KILLS ?= 20
.PHONY: gate
gate: setup ## send GOALS goals through the node's gate over DDS, a third of them colliding, and kill the node KILLS times
	cd lab && $(GO) run $(TAGS) ./gate -goals $(GOALS) -kills $(KILLS) -lanes 4

RATES    ?= 100 1000
DURATION ?= 20s
LOAD     ?= 0
.PHONY: latency
latency: setup ## measure the time from joint states to states over DDS, at RATES for DURATION, with LOAD processes that compute besides (needs ../shared)
	cd lab && for rate in $(RATES); do $(GO) run $(TAGS) ./latency -rate $$rate -duration $(DURATION) -load $(LOAD) || exit 1; done

.PHONY: slips
slips: build ## make the slips that people make in their files, and look what check says of them (needs ../shared). ONLY=pattern; PAGE=file: write lab/docs/slips.md anew
	cd lab && $(GO) run ./slips -command ../bin/firstcontact $(if $(ONLY),-only '$(ONLY)') $(if $(PAGE),-markdown > $(abspath $(PAGE)))

.PHONY: costs
costs: setup ## measure how the cost of a proof grows with gaps, motions, triangles, links and obstacles: lab/docs/costs.md
	cd lab && $(GO) run -pgo=../$(HOT) ./costs

.PHONY: fleet
fleet: build ## measure what chunks of batch cost in the queue, and simulate 1 to 1,000 workers (some ten minutes). PAGE=file: write lab/docs/fleet.md anew
	cd lab && $(GO) run ./fleet -command ../bin/firstcontact $(if $(PAGE),-page $(abspath $(PAGE)))

.PHONY: papers
papers: setup ## rerun the four papers' tables and figures (some ten minutes): lab/docs/papers.md
	cd lab && $(GO) run -pgo=../$(HOT) ./cmd/firstcontact-lab papers

.PHONY: bench-peers
bench-peers: build ## compare with FCL and Bullet on the same segments (needs ../shared); JSON=file keeps the figures, PEERS=flags, such as -before=REVISION for another build beside, -alone with it, or -clock=thread
	@if [[ -d ../shared/peers ]]; then .ci/setup "$(GO)" lab bullet=libbullet-dev; fi
	cd lab && $(GO) run ./peers -command ../bin/firstcontact $(if $(JSON),-json $(abspath $(JSON))) $(PEERS)

.PHONY: truth
truth: setup-lab ## compare every verdict on the comparison's corpus with FCL's dense samples (needs ../shared)
	cd lab && FIRSTCONTACT_LONG=1 $(GO) test -count=1 -timeout 30m -v -run Truth ./peers

PREMISES ?= 10m
.PHONY: premises
premises: setup-lab ## try to refute verdicts on random files with other readers for PREMISES (10m, or 1000000 motions). SEED, LOG=file to continue
	cd lab && FIRSTCONTACT_PREMISES=$(PREMISES) FIRSTCONTACT_PREMISES_LOG=$(abspath $(LOG)) FIRSTCONTACT_PREMISES_COMMIT=$$(git rev-parse --short HEAD 2>/dev/null) FIRSTCONTACT_SEED=$(SEED) \
		$(GO) test -count=1 -timeout 0 -v -run TestPremises ./premises

ORACLE ?= 10m
JOBS   ?= 1
LONG   ?= 1
METHODS ?= 100000
.PHONY: oracle
oracle: setup-lab ## try to refute verdicts: twins, closed forms, random scenes; METHODS motions with all methods; real robots for ORACLE (10m, or 1000000 motions); mutations. JOBS, SEED, LOG=file to continue, LONG= for a short run
	FIRSTCONTACT_LONG=$(LONG) $(GO) test -count=1 -timeout 0 ./internal/geometry/convex ./internal/engine/kin ./internal/engine/spacetime ./certificate/...
	FIRSTCONTACT_LONG=$(LONG) $(GO) test -count=1 -timeout 0 -v -run 'Prismatic|Revolute|Tip|Grazing|ThereAndBack|Knot|Inside|Cavity|Shell|RandomScenes|Same|NearMisses|Root|Tube' ./ccd
	FIRSTCONTACT_METHODS=$(METHODS) FIRSTCONTACT_SEED=$(SEED) $(GO) test -count=1 -timeout 0 -v -run MethodsAgree ./ccd
	cd lab && FIRSTCONTACT_LONG=$(LONG) $(GO) test -count=1 -timeout 0 -v ./agreement
	cd lab && FIRSTCONTACT_ORACLE=$(ORACLE) FIRSTCONTACT_ORACLE_COMMIT=$$(git rev-parse --short HEAD 2>/dev/null) FIRSTCONTACT_ORACLE_JOBS=$(JOBS) FIRSTCONTACT_ORACLE_LOG=$(abspath $(LOG)) FIRSTCONTACT_SEED=$(SEED) \
		$(GO) test -count=1 -timeout 0 -parallel $(JOBS) -v -run TestOracle ./attack
	cd lab && $(GO) run ./mutation -entries

MUTANTS ?= 23
.PHONY: mutants
mutants: ## break trusted code in MUTANTS (23) places, one at a time; a test must fail each time. MUTANTS=0 for all, ENTRIES=1 for the semantic changes, KERNELS=1 for vector instructions, ONLY=regexp, SEED
	cd lab && $(GO) run $(if $(KERNELS),./kernels/mutants,./mutation $(if $(ENTRIES),-entries,-sample $(MUTANTS) $(if $(filter 23,$(MUTANTS)),-jobs 2 -budget 30s)) $(if $(SEED),-seed $(SEED))) $(if $(ONLY),-only '$(ONLY)')

.PHONY: house
house: ## count lines, exported identifiers, the longest functions and imports that run upward. C=dir: of another checkout, HOUSE=flags
	cd lab && $(GO) run ./house $(if $(C),-C $(abspath $(C))) $(HOUSE)

.PHONY: ros-check
ros-check: ## build the ROS packages with Debian's ament and rosidl
	@.ci/ros-check

.PHONY: generate
generate: ## write the generated files
	$(GO) generate ./...
	$(MAKE) humanoid

.PHONY: pictures
pictures: build ## draw the pictures of docs again, by the commands on the pages that show them, and the page of a report in Chromium
	$(GO) test -count=1 ./cmd/firstcontact -run 'TestTutorials$$' -update
	@mkdir -p build
	cd testdata/humanoid && ../../bin/firstcontact check --quiet --robot humanoid.urdf --srdf humanoid.srdf --scene obstacles.yaml --clearance 0.01 \
		--report ../../build/report.html wave.csv trajectory_free.yaml trajectory_between.yaml >/dev/null; test $$? = 1
	cd lab && $(GO) run ./browser/shot file://$(CURDIR)/build/report.html ../docs/pictures/report.png 1100 1000

VIEWER := internal/show/viewer
$(VIEWER)/node_modules: $(VIEWER)/package-lock.json
	cd $(VIEWER) && npm ci --no-audit --no-fund --silent
	@touch $@

.PHONY: viewer
viewer: $(VIEWER)/node_modules ## bundle the pages of reports again, out of their sources, three and uPlot (needs Node and npm)
	cd $(VIEWER) && node build.js

.PHONY: viewer-check
viewer-check: $(VIEWER)/node_modules ## fail if the bundle of the pages is not what its sources make
	cd $(VIEWER) && node build.js --check

.PHONY: playground
playground: setup ## make build/playground, a static folder: check in the browser, as WebAssembly
	@playground/build "$(GO)" build/playground "$(REVISION)"

PROBLEMS ?= 4
SEEDS    ?= 1
OTHERS   ?= 1
SECONDS  ?= 1
.PHONY: planners
planners: ## plan with OMPL by proofs and by samples of FCL (needs ../shared): PROBLEMS of each set with RRTConnect and SEEDS, OTHERS with other planners, within SECONDS; ROBOTS=panda,ur5,baxter LOG=file to continue; PAGE=file: write lab/docs/planners.md anew
	@.ci/setup "$(GO)" lab
	cd lab && $(GO) run ./planners/ompl -problems $(PROBLEMS) -seeds $(SEEDS) -others $(OTHERS) -seconds $(SECONDS) $(if $(ROBOTS),-robots $(ROBOTS)) $(if $(LOG),-log $(abspath $(LOG))) $(if $(PAGE),-page $(abspath $(PAGE)))

RUNS ?= 1
.PHONY: playground-check
playground-check: ## test build/playground on Node and in Chromium, against bin/firstcontact. RUNS=9 measures the examples
	node playground/test.mjs build/playground bin/firstcontact $(RUNS)
	cd lab && $(GO) test -count=1 ./playground

.PHONY: humanoid
humanoid: ## write the humanoid of testdata
	cd lab && $(GO) run ./humanoid

.PHONY: clean
clean: ## remove build products
	rm -rf bin build lab/oracle/build lab/peers/build lab/planners/ompl/build lab/premises/build
