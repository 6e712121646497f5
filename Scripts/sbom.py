#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Says of what the packages are made, as SPDX 2.3 in JSON: sbom.py COMMIT TIME ARCHIVE PACKAGE… > llavero.spdx.json

The sources (the archive), each package, the packages of Debian whose libraries its programs are linked with or load later, each with the
version that this machine has, and what is linked into them: Swift's runtime and that of GCC. Needs binutils and what built the packages.
"""
import hashlib
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def system():
    words = dict(re.findall(r'^(\w+)="?([^"\n]*)"?$', pathlib.Path("/etc/os-release").read_text(), re.MULTILINE))
    return words["ID"], words["VERSION_CODENAME"]


def identifier(*words):
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", "-".join(words))


def part(name, version, *, license="NOASSERTION", supplier="NOASSERTION", purl=None, file=None, purpose="LIBRARY", comment=None):
    entry = {
        "SPDXID": identifier(name, version), "name": name, "versionInfo": version, "supplier": supplier,
        "downloadLocation": "NOASSERTION", "filesAnalyzed": False, "licenseConcluded": "NOASSERTION",
        "licenseDeclared": license, "copyrightText": "NOASSERTION", "primaryPackagePurpose": purpose,
    }
    if purl:
        entry["externalRefs"] = [{
            "referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": purl}]
    if file:
        entry["packageFileName"] = file.name
        entry["checksums"] = [
            {"algorithm": "SHA256", "checksumValue": hashlib.sha256(file.read_bytes()).hexdigest()}]
    if comment:
        entry["comment"] = comment
    return entry


def debian(package):
    """A package of Debian's that is installed here."""
    version, architecture, source = output(
        "dpkg-query", "--show", "--showformat=${Version}\n${Architecture}\n${source:Package}\n", package).split("\n")[:3]
    vendor, release = system()
    return part(
        package.split(":")[0], version, supplier=f"Organization: {vendor.capitalize()}",
        purl=f"pkg:deb/{vendor}/{package.split(':')[0]}@{version.replace('+', '%2B').replace('~', '%7E')}"
        f"?arch={architecture}&distro={release}",
        comment=f"built from Debian's source package {source}")


def owner(path):
    """The installed package with the file; dpkg may know a file in /usr/lib as one in /lib."""
    real = pathlib.Path(path).resolve()
    for line in output("dpkg-query", "--search", f"*/{real.name}").splitlines():
        package, _, name = line.partition(": ")
        if pathlib.Path(name).resolve() == real:
            return package.split(",")[0]
    sys.exit(f"no package has {path}")


def programs(folder):
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink() and path.read_bytes()[:4] == b"\x7fELF":
            yield path


def needed(path):
    return re.findall(r"\(NEEDED\).*\[(.*)\]", output("readelf", "--dynamic", "--wide", str(path)))


def main():
    if len(sys.argv) < 5:
        sys.exit("usage: sbom.py COMMIT TIME ARCHIVE PACKAGE…")
    commit, moment, archive, files = sys.argv[1], int(sys.argv[2]), pathlib.Path(sys.argv[3]), sys.argv[4:]
    version = output(str(HERE / "version.sh")).strip()
    libraries = dict(re.findall(r"^\s*(\S+) .* => (\S+)$", output("/sbin/ldconfig", "-p"), re.MULTILINE)[::-1])
    swift = re.search(r"Swift version (\S+)", output("swift", "--version")).group(1)
    gcc = pathlib.Path(output("gcc", "-print-file-name=libstdc++.a").strip())

    sources = part(
        "llavero", version, license="Apache-2.0", supplier="Organization: Llavero", file=archive, purpose="SOURCE",
        comment=f"commit {commit}")
    runtime = part(
        "swift-runtime", swift, license="Apache-2.0 WITH Swift-exception", supplier="Organization: Swift project",
        comment="the standard library and what belongs to it, of the toolchain that compiled the programs")
    foundation = part(
        "swift-foundation", swift, license="Apache-2.0 WITH Swift-exception", supplier="Organization: Swift project",
        comment="Foundation, Dispatch and ICU, of the toolchain that compiled the library")
    parts = {entry["SPDXID"]: entry for entry in [sources]}
    relations = [("SPDXRef-DOCUMENT", "DESCRIBES", sources["SPDXID"])]

    def relate(one, kind, other):
        parts.setdefault(other["SPDXID"], other)
        if (one["SPDXID"], kind, other["SPDXID"]) not in relations:
            relations.append((one["SPDXID"], kind, other["SPDXID"]))

    later = output(str(HERE / "loaded-later.sh")).split()
    for name in sorted(files):
        file = pathlib.Path(name)
        fields = dict(re.findall(r"^(\w+): (.*)$", output("dpkg-deb", "--field", str(file)), re.MULTILINE))
        package = part(
            fields["Package"], fields["Version"], license="Apache-2.0", supplier="Organization: Llavero", file=file,
            purpose="INSTALL", comment="package for " + " ".join(system()))
        package["SPDXID"] = identifier(fields["Package"], fields["Version"], fields["Architecture"])
        parts[package["SPDXID"]] = package
        relations.append(("SPDXRef-DOCUMENT", "DESCRIBES", package["SPDXID"]))
        relations.append((package["SPDXID"], "GENERATED_FROM", sources["SPDXID"]))
        with tempfile.TemporaryDirectory() as folder:
            output("dpkg-deb", "--extract", str(file), folder)
            found = list(programs(pathlib.Path(folder)))
            own = {path.name for path in found}
            for path in found:
                for library in needed(path):
                    if library in own:
                        continue
                    if library not in libraries:
                        sys.exit(f"{path.name} needs {library}, which is not on this machine")
                    relate(package, "DYNAMIC_LINK", debian(owner(libraries[library])))
            if not found:
                continue
            if "libswiftCore.so" in own:
                relate(package, "CONTAINS", runtime)
                relate(package, "CONTAINS", foundation)
            else:
                relate(package, "STATIC_LINK", runtime)
                if gcc.is_absolute():
                    relate(package, "STATIC_LINK", debian(owner(gcc)))
            for library in later:
                loaded = debian(library)
                parts.setdefault(loaded["SPDXID"], loaded)
                relations.append((loaded["SPDXID"], "OPTIONAL_DEPENDENCY_OF", package["SPDXID"]))

    document = {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"llavero-{version}",
        "documentNamespace": f"https://spdx.org/spdxdocs/llavero-{version}-{sources['checksums'][0]['checksumValue'][:32]}",
        "creationInfo": {
            "created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(moment)), "creators": ["Tool: llavero-sbom"]},
        "packages": list(parts.values()),
        "relationships": [
            {"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other}
            for one, kind, other in dict.fromkeys(relations)],
    }
    json.dump(document, sys.stdout, indent=2, ensure_ascii=False)
    print()


main()
