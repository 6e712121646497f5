# SPDX-License-Identifier: Apache-2.0
"""What is on a terminal, as text and as a drawing (SVG) with its colours."""

import html
import os
import re
import unicodedata

COLOURS = {31: "#f47067", 32: "#8ddb8c", 33: "#daaa3f", 34: "#6cb6ff", 36: "#76e3ea"}
(PAPER, INK, FAINT) = ("#1c2128", "#dbe2ea", "#8a95a3")
(WIDTH, HEIGHT, MARGIN) = (8.43, 18, 14)


class Look:
    """How letters look: the codes since the last reset."""

    def __init__(self):
        (self.bold, self.faint, self.reverse, self.colour) = (False, False, False, None)

    def take(self, codes):
        for code in [int(code or 0) for code in codes.split(";")]:
            if code == 0:
                self.__init__()
            elif code == 1:
                self.bold = True
            elif code == 2:
                self.faint = True
            elif code == 7:
                self.reverse = True
            elif code in COLOURS:
                self.colour = COLOURS[code]
            elif code == 39:
                self.colour = None

    def key(self):
        ink = self.colour or (FAINT if self.faint else INK)
        return (PAPER, INK, self.bold) if self.reverse else (ink, None, self.bold)


def columns(text):
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 0 if unicodedata.combining(letter) else 1
               for letter in text)


def runs(line):
    """Parts of a line that look alike: column, text, look."""
    (look, column, parts) = (Look(), 0, [])
    for part in re.split(r"(\x1b\[[0-9;]*m)", line):
        code = re.fullmatch(r"\x1b\[([0-9;]*)m", part)
        if code:
            look.take(code[1])
        elif part:
            parts.append((column, part, look.key()))
            column += columns(part)
    return parts


def drawing(lines, width, title):
    (full, high) = (width * WIDTH + 2 * MARGIN, len(lines) * HEIGHT + 2 * MARGIN)
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {full:.0f} {high}" width="{full:.0f}" height="{high}" role="img">',
        f"<title>{html.escape(title)}</title>", f'<rect width="100%" height="100%" rx="8" fill="{PAPER}"/>',
        '<g font-family="ui-monospace, DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="14">']
    for row, line in enumerate(lines):
        top = MARGIN + row * HEIGHT
        for column, text, (ink, paper, bold) in runs(line):
            (left, span) = (MARGIN + column * WIDTH, columns(text) * WIDTH)
            if paper:
                out.append(f'<rect x="{left:.1f}" y="{top}" width="{span:.1f}" height="{HEIGHT}" fill="{paper}"/>')
            weight = ' font-weight="bold"' if bold else ""
            # Word by word: viewers make one space of many.
            for word in re.finditer(r"\S+", text):
                (left, span) = (MARGIN + (column + columns(text[:word.start()])) * WIDTH, columns(word[0]) * WIDTH)
                out.append(
                    f'<text x="{left:.1f}" y="{top + 14}" textLength="{span:.1f}" fill="{ink}"{weight}>{html.escape(word[0])}</text>')
    return "\n".join(out + ["</g>", "</svg>", ""])


def take(terminal, folder, name, title):
    """Writes NAME.svg and NAME.txt of what is on the screen now."""
    os.makedirs(folder, exist_ok=True)
    lines = terminal.tmux("capture-pane", "-e", "-p").rstrip("\n").split("\n")
    width = max(sum(columns(text) for _, text, _ in runs(line)) for line in lines)
    with open(os.path.join(folder, f"{name}.svg"), "w", encoding="utf-8") as file:
        file.write(drawing(lines, width, title))
    with open(os.path.join(folder, f"{name}.txt"), "w", encoding="utf-8") as file:
        file.write("\n".join(line.rstrip() for line in terminal.screen()) + "\n")
