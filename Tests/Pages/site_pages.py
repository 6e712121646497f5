# SPDX-License-Identifier: Apache-2.0
"""The site that `make docs` makes: its pages by kind, its search from the keyboard, each link of each page."""
import html.parser
import pathlib
import urllib.parse

from browser import look


class Names(html.parser.HTMLParser):
    """What a page calls by a name, and where its links lead."""

    def __init__(self, text):
        super().__init__()
        self.names, self.links = set(), []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if "id" in values:
            if values["id"] in self.names:
                self.links.append(f"#twice-{values['id']}")
            self.names.add(values["id"])
        self.links += [values[name] for name in ("href", "src", "action") if values.get(name)]


def check(chromium, site, axe, looks, pictures):
    failures = dead_links(site)
    kinds = ["index.html", "guide.html", "threatmodel.html", "coverage.html", "benchmarks.html", "reading/find.html", "commands.html",
             "api/security-secitem.html"]
    for name in kinds:
        if not (site / name).is_file():
            failures.append(f"there is no {name}")
            continue
        failures += look(chromium, site / name, axe, looks, pictures, name.replace("/", "-").removesuffix(".html"))
    # Every other page, whether a telephone can show it.
    for path in sorted(site.rglob("*.html")):
        page = chromium.page(path, width=360, height=780)
        if page.overflow > 0:
            failures.append(f"{path.relative_to(site)}: {page.overflow} pixels wider than a telephone")
        failures += [f"{path.relative_to(site)}: {text}" for text in page.complaints]
        page.call("Page.close")
    return failures + search(chromium, site, axe, looks, pictures)


def dead_links(site):
    pages = {path: Names(path.read_text()) for path in site.rglob("*.html")}
    failures = []
    for path, page in pages.items():
        for link in page.links:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme:
                continue
            target = pathlib.Path(path.parent / parts.path).resolve() if parts.path else path
            if not target.is_file() or parts.fragment and urllib.parse.unquote(parts.fragment) not in pages[target].names:
                failures.append(f"{path.relative_to(site)}: {link} leads nowhere")
    return failures


def search(chromium, site, axe, looks, pictures):
    """From the first page, by the keyboard alone, to what is looked for."""
    page = chromium.page(site / "index.html")
    for _ in range(3):
        page.tab()
    failures = [] if page.focus == "q" else [f"the third stop of the keyboard is {page.focus}, not the search"]
    page.type("recovery words")
    page.is_loaded = False
    page.enter()
    page.await_load()
    count = page.value("document.querySelectorAll('#results li').length")
    if not count:
        failures.append("the search finds nothing")
    first = page.value("document.querySelector('#results a').getAttribute('href')")
    page.go(page.value("new URL(document.querySelector('#results a').getAttribute('href'), location).href"))
    if "recovery" not in page.value("document.body.innerText.toLowerCase()"):
        failures.append(f"{first} does not have what was looked for")
    failures += [f"search: {text}" for text in page.complaints]
    page.call("Page.close")
    page = chromium.page(site / "search.html")
    page.value("document.getElementById('q').focus()")
    page.type("SecItemCopyMatching")
    titles = page.value("[...document.querySelectorAll('#results a')].slice(0, 3).map(a => a.textContent)")
    if not any("SecItemCopyMatching" in title for title in titles):
        failures.append(f"a function of the API is not among the first: {titles}")
    if pictures:
        page.picture(pictures / "search.png")
    failures += [f"search: axe: {one}" for one in page.violations(axe)]
    page.call("Page.close")
    return failures
