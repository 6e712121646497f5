# SPDX-License-Identifier: Apache-2.0
"""Makes a site of the documents: python3 Scripts/docs --graphs FOLDER --tool PROGRAM --output FOLDER

The pages are files that need no server. None but the search has a script, nothing comes from elsewhere, and each link is looked at.
"""
import argparse
import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))

import api  # noqa: E402
import pages  # noqa: E402
import plots  # noqa: E402

root = pathlib.Path(__file__).resolve().parent.parent.parent

# The pages by group: title, file. What is in Docs/ and in no group comes last.
GROUPS = [
    ("Begin", [("Llavero", "README.md"), ("Guide", "Docs/Guide.md"), ("What is here", "Docs/Features.md"), ("Commands", None)]),
    ("Use", [("The daemon", "Docs/Daemon.md"), ("Helpers for programs", "Docs/Helpers.md"), ("Imports", "Docs/Imports.md"),
             ("Secret Service", "Docs/SecretService.md"), ("The tool security", "Docs/SecurityTool.md"), ("C", "Docs/C.md"),
             ("Several machines", "Docs/Sync.md"), ("Running a circle", "Docs/SyncOperations.md")]),
    ("Reference", [("Semantics", "Docs/Semantics.md"), ("Compatibility", "Docs/Compatibility.md"), ("Algorithms", "Docs/Algorithms.md"),
                   ("Coverage", "Docs/Coverage.md"), ("File format", "Docs/FileFormat.md"), ("Glossary", "Docs/Glossary.md")]),
    ("Judge", [("Threat model", "Docs/ThreatModel.md"), ("What failed elsewhere", "Docs/PastVulnerabilities.md"),
               ("Speed", "Docs/Speed.md"), ("Benchmarks", None)]),
    ("Work on it", [("Architecture", "Docs/Architecture.md"), ("Contributing", "CONTRIBUTING.md"), ("Releasing", "Docs/Releasing.md"),
                    ("Security reports", "SECURITY.md"), ("Changes", "CHANGELOG.md")]),
]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--graphs", required=True, type=pathlib.Path)
    parser.add_argument("--tool", required=True, type=pathlib.Path)
    parser.add_argument("--output", required=True, type=pathlib.Path)
    options = parser.parse_args()
    site = pages.Site(root)
    for group, entries in GROUPS:
        for title, name in entries:
            if name and (root / name).is_file():
                site.add_document(group, title, name)
            elif title == "Commands" and options.tool.is_file():
                site.add(group, title, "commands.html", pages.commands(options.tool))
            elif title == "Benchmarks":
                site.add(group, title, "benchmarks.html", plots.page(root))
    for document in sorted((root / "Docs").rglob("*.md")):
        name = str(document.relative_to(root))
        if name not in site.documents:
            site.add_document("Follow a request" if "Reading" in name else "More", pages.title_of(document), name)
    for module in sorted(options.graphs.glob("*.symbols.json"), key=lambda path: (path.name != "Security.symbols.json", path.name)):
        if "@" not in module.name:
            api.add(site, module)
    shutil.rmtree(options.output, ignore_errors=True)
    options.output.mkdir(parents=True)
    for name in ("style.css", "search.js"):
        shutil.copy(pathlib.Path(__file__).parent / name, options.output / name)
    dead = site.write(options.output)
    for link in dead:
        print(link, file=sys.stderr)
    print(f"{len(site.pages)} pages, {len(site.index)} sections that can be found")
    sys.exit(1 if dead else 0)


if __name__ == "__main__":
    main()
