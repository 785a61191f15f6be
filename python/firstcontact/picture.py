"""What a notebook shows of answers: text and drawings in SVG, in dark and light themes alike."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from .answers import BatchVerdict, Profile, Verdict

_GREEN, _RED, _GREY = "#2e8b57", "#c0271a", "#8a8a8a"


def words(v: Verdict) -> list[str]:
    """What a verdict says: its word, and a line."""
    gaps = f"; {v.open_gaps} open gaps" if v.open_gaps else ""
    if v.contact is not None and v.toc is not None:
        if v.contact.distance > 1e-5:  # of a query with a clearance
            how, before = f"are {1000 * v.contact.distance:.4g} mm apart", "is closer than asked"
        else:
            how, before = "first touch" if v.toc.upper - v.toc.lower <= 1e-5 else "touch", "touches"
        return ["CONTACT", f"{v.contact.a} and {v.contact.b} {how} at {v.toc.upper:.6g} s; nothing {before} before {v.toc.lower:.6g} s"]
    if v.free:
        close = "" if v.clearance is None else f", between {1000 * v.clearance.lower:.4g} mm and {1000 * v.clearance.upper:.4g} mm apart"
        accepted = f", resting on {v.accepted_gaps} accepted gaps" if v.accepted_gaps else ""
        return ["FREE", f"proved for all of {v.end:g} s{close} ({v.assumed_pairs} pairs assumed{accepted})"]
    return ["UNDECIDED", f"proved until {v.proven_until:.6g} s of {v.end:g} s: {v.reason}{gaps}"]


def verdict_html(v: Verdict) -> str:
    """A verdict as a line of text over a bar of time: green as far as nothing touches, by proof."""
    word, line = words(v)
    color = {"FREE": _GREEN, "CONTACT": _RED}.get(word, _GREY)
    end = v.end or 1.0
    proved = 400 * min(1.0, max(0.0, (v.end if v.free else v.proven_until) / end))
    bar = f'<rect width="400" height="10" fill="{_GREY}" opacity="0.3"/><rect width="{proved:.1f}" height="10" fill="{_GREEN}"/>'
    if v.toc is not None:
        bar += f'<rect x="{400 * v.toc.upper / end - 1.5:.1f}" width="3" height="10" fill="{_RED}"/>'
    return (
        f'<div><b style="color:{color}">{word}</b> {escape(line)}<br/>'
        f'<svg xmlns="http://www.w3.org/2000/svg" width="400" height="10" role="img" aria-label="{escape(word)}">{bar}</svg></div>'
    )


def batch_html(b: BatchVerdict) -> str:
    """How many of a batch are free, in contact and undecided, over a bar of their parts."""
    line, bar, at = [], "", 0.0
    for value, word, color in ((1, "free", _GREEN), (2, "in contact", _RED), (0, "undecided", _GREY)):
        count = int((b.status == value).sum())
        part = 400 * count / max(1, len(b))
        line.append(f'<b style="color:{color}">{count}</b> {word}')
        bar += f'<rect x="{at:.1f}" width="{part:.1f}" height="10" fill="{color}"/>'
        at += part
    return f'<div>{", ".join(line)}<br/><svg xmlns="http://www.w3.org/2000/svg" width="400" height="10" role="img">{bar}</svg></div>'


def profile_svg(p: Profile, width: int = 560, height: int = 240) -> str:
    """The bounds of the smallest distance over time: the distance lies in the band."""
    left, right, top, bottom = 56.0, width - 12.0, 26.0, height - 34.0
    finite = p.upper[np.isfinite(p.upper)]
    most = float(finite.max()) if len(finite) else 1.0
    most = most if most > 0 else 1.0
    t0, t1 = float(p.start[0]), float(p.end[-1])

    def x(t: float) -> float:
        return left + (right - left) * ((t - t0) / (t1 - t0) if t1 > t0 else 0.0)

    def y(d: float) -> float:
        return bottom - (bottom - top) * min(d, most) / most

    def line(bound: str) -> list[str]:
        values = p.lower if bound == "lower" else p.upper
        times = zip(p.start, p.end, values)
        return [f"{x(t):.1f},{y(d):.1f}" for start, end, (a, b) in times for t, d in ((start, a), (end, b))]

    lower, upper = line("lower"), line("upper")
    least = p.minimum
    color = _GREY if p.open_gaps else _RED if least.lower <= 0 else _GREEN
    gaps = f"; {p.open_gaps} open gaps: the model is incomplete" if p.open_gaps else ""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'font-family="sans-serif" font-size="12" fill="currentColor" role="img">',
        f'<text x="{left}" y="16">smallest distance between {1000 * least.lower:.4g} mm and {1000 * least.upper:.4g} mm{gaps}</text>',
        f'<polygon points="{" ".join(lower + upper[::-1])}" fill="{color}" opacity="0.35" stroke="none"/>',
        f'<polyline points="{" ".join(lower)}" fill="none" stroke="{color}" stroke-width="1.5"/>',
        f'<path d="M{left},{top}V{bottom}H{right}" fill="none" stroke="currentColor"/>',
    ]
    for i in range(5):
        d, t = most * i / 4, t0 + (t1 - t0) * i / 4
        parts.append(f'<text x="{left - 6}" y="{y(d) + 4:.1f}" text-anchor="end">{1000 * d:.4g}</text>')
        parts.append(f'<text x="{x(t):.1f}" y="{bottom + 16}" text-anchor="middle">{t:g}</text>')
    parts.append(f'<text x="{left - 6}" y="{top - 10}" text-anchor="end">mm</text>')
    parts.append(f'<text x="{right}" y="{bottom + 30}" text-anchor="end">s</text></svg>')
    return "".join(parts)
