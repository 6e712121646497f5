# SPDX-License-Identifier: Apache-2.0
"""Plots of what the benchmark recorded: instructions in Benchmarks/instructions.txt, ratios in Docs/Speed.md, and the times of the
last `make bench` on this machine, where results.json is there."""
import html
import json
import re

BAR, GAP, LEFT, WIDTH = 16, 12, 330, 900


def bars(name, title, rows, unit, marks=()):
    """Horizontal bars: each row has a name and (class, value) pairs; a mark is what the row should stay below."""
    top = max([value for _, values in rows for _, value in values] + [mark for mark in marks if mark]) or 1
    scale = (WIDTH - LEFT - 120) / top
    parts, place, words = [], 0, []
    for (row, values), mark in zip(rows, list(marks) + [None] * (len(rows) - len(marks))):
        height = BAR * len(values)
        parts.append(f'<text x="{LEFT - 10}" y="{place + height / 2 + 5:.0f}" text-anchor="end">{html.escape(row)}</text>')
        for index, (look, value) in enumerate(values):
            width, y = max(1, value * scale), place + BAR * index
            parts.append(f'<rect class="{look}" x="{LEFT}" y="{y}" width="{width:.1f}" height="{BAR - 3}"/>')
            end = LEFT + max(width, mark * scale if mark else 0) + 6
            parts.append(f'<text x="{end:.1f}" y="{y + 12}">{number(value)}{unit}</text>')
        if mark:
            x = LEFT + mark * scale
            parts.append(f'<line class="mark" x1="{x:.1f}" x2="{x:.1f}" y1="{place - 3}" y2="{place + height + 1}"/>')
        said = ", ".join(f"{look if look != 'bad' else 'ours'} {number(value)}{unit}" for look, value in values)
        words.append(f"{row}: {said}" + (f", target {number(mark)}{unit}" if mark else ""))
        place += height + GAP
    return (f'<figure><figcaption>{html.escape(title)}</figcaption><svg viewBox="0 0 {WIDTH} {place}" role="img" '
            f'aria-labelledby="{name}-name {name}-words"><title id="{name}-name">{html.escape(title)}</title>'
            f'<desc id="{name}-words">{html.escape("; ".join(words))}</desc>{"".join(parts)}</svg></figure>')


def number(value):
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"


def short(name):
    """As much of a name as stands beside its bar."""
    return name if len(name) <= 44 else name[:43].rsplit(" ", 1)[0].rstrip(",:") + " …"


def instructions(root):
    text = (root / "Benchmarks/instructions.txt").read_text().splitlines()
    counted = {(line.split()[0], int(line.split()[1])): int(line.split()[2]) for line in text if line and not line.startswith("#")}
    limits = {"find": "limit-find", "add": "limit-add"}
    rows = []
    for (name, items), count in counted.items():
        if items == 10_000 and not name.startswith("limit-"):
            limit = counted.get((limits.get(name, ""), items))
            rows.append((name, [("ours", count)] + ([("limit", limit)] if limit else [])))
    return text[0].lstrip("# "), bars("instructions", "Instructions of one operation, 10,000 items: ours, and the limit's below it", rows, "")


def ratios(root):
    """The rows of the table of figures that have one ratio and a target for it."""
    text = (root / "Docs/Speed.md").read_text()
    table = text.partition("<!-- figures: begin -->")[2].partition("<!-- figures: end -->")[0]
    rows, marks = [], []
    for line in table.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        found = [re.match(r"([\d.]+) ×", cells[2]), re.match(r"≤ ([\d.]+) ×", cells[3])] if len(cells) == 4 else [None]
        if all(found):
            ratio, target = (float(one.group(1)) for one in found)
            rows.append((short(cells[0].replace("`", "")), [("ours" if ratio <= target else "bad", ratio)]))
            marks.append(target)
    return bars("ratios", "How many times the limit's (or the plain call's) time; the line is the target", rows, " ×", marks)


def times(root):
    path = root / "results.json"
    if not path.is_file():
        return ""
    rows = {}
    for row in json.loads(path.read_text()):
        if row.get("ours_us") and row["items"] in (0, 10_000):
            limit = row.get("limit_us") or row.get("peer_us")
            rows[short(row["name"])] = [("ours", row["ours_us"])] + ([("limit", limit)] if limit else [])
    # One scale shows none of the short ones beside a long one.
    quick = [(name, values) for name, values in rows.items() if values[0][1] < 1000]
    return ("<h2>The last make bench on this machine</h2>"
            + bars("times", "Microseconds: ours, and below it the limit's or the other product's", quick, " µs"))


def page(root):
    made, drawn = instructions(root)
    return "\n".join([
        "<h1>Benchmarks</h1>",
        '<p>What <a href="speed.html">Speed</a> says in figures. The limit is SQLite and OpenSSL doing the same work with nothing on top.</p>',
        "<h2>Ratios</h2>", ratios(root),
        "<h2>Instructions</h2>", f"<p>Counted by callgrind, recorded with {html.escape(made)}.</p>", drawn, times(root)])
