# SPDX-License-Identifier: Apache-2.0
"""Pages of a site: Markdown made HTML by cmark-gfm, with links, headings and wide parts as a site needs them."""
import html
import html.parser
import json
import pathlib
import re
import subprocess

# Pages load their style and nothing else; the search also its script and its index.
POLICY = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'"
SEARCH_POLICY = POLICY + "; script-src 'self'"


def title_of(path):
    return re.search(r"^# +(.*)$", path.read_text(), re.M).group(1).replace("`", "")


def slug(text):
    """A heading's name in links, as GitHub makes it."""
    return re.sub(r"[^\w -]", "", text.lower()).replace(" ", "-")


def markdown(text):
    words = ["cmark-gfm", "--extension", "table", "--extension", "strikethrough", "--extension", "autolink"]
    return subprocess.run(words, input=text, capture_output=True, text=True, check=True).stdout


def commands(tool):
    """What `llavero help` says of each verb."""
    def told(*words):
        return subprocess.run([tool, *words], capture_output=True, text=True, check=True).stdout

    verbs = re.findall(r"^  ([a-z][a-z-]*)  +\S", told("help"), re.M)
    parts = ["<h1>Commands</h1><p>What <code>llavero help VERB</code> says.</p>"]
    for verb in verbs:
        parts.append(f"<h2>{verb}</h2><pre>{html.escape(told('help', verb))}</pre>")
    return "\n".join(parts)


class Rewriter(html.parser.HTMLParser):
    """Gives headings names, tables and listings a place that scrolls and has the keyboard, and links their pages."""

    def __init__(self, link):
        super().__init__(convert_charrefs=False)
        self.link, self.output, self.names, self.sections = link, [], {}, []
        self.heading, self.start, self.is_dead_link, self.tables = None, 0, False, 0

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if tag in ("h1", "h2", "h3", "h4"):
            self.heading, self.start = tag, len(self.output)
            self.output.append("")
            self.heading_name = values.get("id")
            return
        if tag == "table":
            self.tables += 1
            self.output.append(f'<div class="scroll" role="region" aria-label="Table {self.tables}" tabindex="0">')
        if tag == "a" and "href" in values:
            target = self.link(values["href"])
            self.is_dead_link = target is None
            if self.is_dead_link:
                return
            values["href"] = target
        if tag == "pre":
            values["tabindex"] = "0"
        if tag == "th":
            values["scope"] = "col"
        # What cmark writes for columns is no attribute any more.
        align = values.pop("align", None)
        if align in ("right", "center"):
            values["class"] = align
        self.output.append("<" + tag + "".join(f' {name}="{html.escape(value or "")}"' for name, value in values.items()) + ">")

    def handle_endtag(self, tag):
        if tag == self.heading:
            inner = "".join(self.output[self.start + 1:])
            text = html.unescape(re.sub(r"<[^>]*>", "", inner))
            name = self.heading_name or slug(text)
            count = self.names.get(name, 0)
            self.names[name] = count + 1
            if count:
                name += f"-{count}"
            self.output[self.start:] = [f'<{tag} id="{html.escape(name)}">{inner}</{tag}>']
            self.sections.append((tag, text, name, self.start))
            self.heading = None
            return
        if tag == "a" and self.is_dead_link:
            self.is_dead_link = False
            return
        self.output.append(f"</{tag}>")
        if tag == "table":
            self.output.append("</div>")

    def handle_startendtag(self, tag, attributes):
        self.output.append(self.get_starttag_text())

    def handle_data(self, data):
        self.output.append(data)

    def handle_entityref(self, name):
        self.output.append(f"&{name};")

    def handle_charref(self, name):
        self.output.append(f"&#{name};")

    @property
    def text(self):
        return "".join(self.output)

    def texts(self):
        """Each heading with the words below it."""
        ends = [place for _, _, _, place in self.sections[1:]] + [len(self.output)]
        for (level, title, name, start), end in zip(self.sections, ends):
            words = re.sub(r"<[^>]*>", " ", "".join(self.output[start + 1:end]))
            yield level, title, name, " ".join(html.unescape(words).split())


class Page:
    def __init__(self, group, title, path, body, source=None):
        self.group, self.title, self.path, self.body, self.source = group, title, path, body, source


class Site:
    def __init__(self, root):
        self.root, self.pages, self.documents, self.index, self.dead = root, [], {}, [], []

    def add(self, group, title, path, body):
        self.pages.append(Page(group, title, path, body))

    def add_document(self, group, title, name):
        path = "index.html" if name == "README.md" else name.replace("Docs/", "").replace(".md", ".html").lower()
        self.documents[name] = path
        self.pages.append(Page(group, title, path, None, source=name))

    def link(self, page, target, used):
        """Where a link of a document leads on the site; None for a file that has no page, which stays as words."""
        if re.match(r"[a-z]+:", target) or page.source is None:
            if not re.match(r"[a-z]+:", target):
                used.append((page, target))
            return target
        file, _, anchor = target.partition("#")
        name = str(((self.root / page.source).parent / file).resolve().relative_to(self.root)) if file else page.source
        if name not in self.documents:
            return None
        up = "../" * page.path.count("/")
        result = (up + self.documents[name] if file else "") + (f"#{anchor}" if anchor else "")
        used.append((page, result))
        return result

    def write(self, output):
        used, names = [], {}
        for page in self.pages:
            body = page.body if page.body is not None else markdown((self.root / page.source).read_text())
            rewriter = Rewriter(lambda target, page=page: self.link(page, target, used))
            rewriter.feed(body)
            rewriter.close()
            names[page.path] = set(re.findall(r' id="([^"]*)"', rewriter.text))
            for level, title, name, words in rewriter.texts():
                self.index.append([page.path + (f"#{name}" if level != "h1" else ""), page.title, title, words])
            self.emit(output, page, rewriter.text, rewriter.sections)
        found = Page("", "Search", "search.html", None)
        self.emit(output, found, SEARCH, [], scripts=("search-index.js", "search.js"))
        index = json.dumps(self.index, ensure_ascii=False, separators=(",", ":"))
        (output / "search-index.js").write_text(f"const sections = {index}\n")
        return [f"{page.path}: the link {target} leads nowhere" for page, target in used if not self.leads(page, target, names)]

    @staticmethod
    def leads(page, target, names):
        file, _, anchor = target.partition("#")
        path = str(pathlib.PurePosixPath("/", page.path).parent / file) if file else "/" + page.path
        parts = []
        for part in path.split("/"):
            parts = parts[:-1] if part == ".." else parts + [part] if part else parts
        path = "/".join(parts)
        return path in names and (not anchor or html.escape(anchor) in names[path])

    def emit(self, output, page, body, sections, scripts=()):
        up = "../" * page.path.count("/")
        groups = {}
        for one in self.pages:
            groups.setdefault(one.group, []).append(one)

        def entry(one):
            here = ' aria-current="page"' if one is page else ""
            return f'<li><a href="{up}{one.path}"{here}>{html.escape(one.title)}</a></li>'

        menu = "".join(
            f"<p>{html.escape(group)}</p><ul>{''.join(map(entry, ones))}</ul>" for group, ones in groups.items())
        parts = [f'<li><a href="#{html.escape(name)}">{html.escape(text)}</a></li>'
                 for level, text, name, _ in sections if level == "h2"]
        contents = f'<nav class="here" aria-label="On this page"><ul>{"".join(parts)}</ul></nav>' if len(parts) > 1 else ""
        run = "".join(f'<script src="{up}{name}" defer></script>' for name in scripts)
        path = output / page.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{SEARCH_POLICY if scripts else POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{html.escape(page.title)} – Llavero</title>
<link rel="stylesheet" href="{up}style.css">
{run}</head>
<body>
<a class="skip" href="#content">To the text</a>
<header>
<a class="home" href="{up}index.html">Llavero</a>
<form role="search" action="{up}search.html" method="get"><label for="q">Search</label> <input id="q" name="q" type="search" autocomplete="off"> <button>Find</button></form>
</header>
<div class="page">
<nav class="menu" aria-label="Documents"><details><summary>All documents</summary>{menu}</details></nav>
<main id="content" tabindex="-1">
{contents}
{body}
</main>
</div>
</body>
</html>
""")


SEARCH = """<h1>Search</h1>
<p id="count" role="status">What is looked for goes into the field above.</p>
<noscript><p>The search is a script of this site, and scripts are turned off.</p></noscript>
<ol id="results"></ol>"""
