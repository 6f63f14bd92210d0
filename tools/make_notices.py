#!/usr/bin/env python3
"""What a package carries of others: make_notices.py PROGRAM FOLDER

Writes FOLDER/third-party-notices.txt, the licences in full, and FOLDER/sbom.spdx.json (SPDX 2.3): the libraries that the
program is linked with, those whose headers and files are part of it, and the parts of the viewer's page. The same
program and the same installation give the same bytes.
"""
import datetime
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Part of the program without being libraries of it.
BUILT_IN = ("libeigen3-dev", "nlohmann-json3-dev", "libcli11-dev", "libboost-dev", "fonts-dejavu-core")


def output_of(*words):
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else ""


def package_of(library):
    """Of Debian, that brought a library; none elsewhere."""
    for name in (library, os.path.realpath(library), os.path.realpath(library).replace("/usr", "", 1)):
        if found := output_of("dpkg-query", "-S", name):
            return found.split(":")[0]
    return None


def debian_parts(program):
    libraries = re.findall(r"=> (/\S+)", output_of("ldd", program))
    names = {name for library in libraries if (name := package_of(library))} | set(BUILT_IN)
    for name in sorted(names):
        facts = output_of("dpkg-query", "-W", "-f", "${Version}", name).split()
        if not facts:
            continue
        text = pathlib.Path(f"/usr/share/doc/{name}/copyright")
        licence = text.read_text(errors="replace") if text.is_file() else "see the package in Debian\n"
        yield {"name": name, "version": facts[0], "licence": licence,
               "purl": f"pkg:deb/debian/{name}@{facts[0]}"}


def page_parts():
    """Of the lock file: what is not needed for building alone."""
    lock = json.loads((ROOT / "viewer/package-lock.json").read_text())
    for place, facts in sorted(lock["packages"].items()):
        if not place or facts.get("dev") or facts.get("optional"):
            continue
        name = place.removeprefix("node_modules/")
        texts = sorted((ROOT / "viewer" / place).glob("LICENSE*"))
        licence = texts[0].read_text(errors="replace") if texts else facts.get("license", "see the package") + "\n"
        yield {"name": name, "version": facts["version"], "licence": licence,
               "purl": f"pkg:npm/{name.replace('@', '%40')}@{facts['version']}"}


def spdx(parts, version):
    moment = datetime.datetime.fromtimestamp(int(os.environ.get("SOURCE_DATE_EPOCH", "0")), datetime.timezone.utc)
    packages = [{"SPDXID": "SPDXRef-sinew", "name": "sinew", "versionInfo": version, "downloadLocation": "NOASSERTION", "filesAnalyzed": False}]
    for part in parts:
        packages.append({"SPDXID": "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", part["name"]), "name": part["name"],
                         "versionInfo": part["version"], "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
                         "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": part["purl"]}]})
    relations = [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": "SPDXRef-sinew"}]
    relations += [{"spdxElementId": "SPDXRef-sinew", "relationshipType": "DEPENDS_ON", "relatedSpdxElement": package["SPDXID"]}
                  for package in packages[1:]]
    return {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"sinew-{version}",
            "documentNamespace": f"https://spdx.org/spdxdocs/sinew-{version}",
            "creationInfo": {"created": moment.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": ["Tool: make_notices"]},
            "packages": packages, "relationships": relations}


def main():
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    version = re.search(r"project\(sinew VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())[1]
    parts = [*debian_parts(program), *page_parts()]
    text = "Sinew carries, or is linked with, the work of others:\n\n"
    text += "".join(f"  {part['name']} {part['version']}\n" for part in parts)
    for part in parts:
        text += f"\n{'=' * 100}\n{part['name']} {part['version']}\n{'=' * 100}\n{part['licence'].rstrip()}\n"
    (folder / "third-party-notices.txt").write_text(text)
    (folder / "sbom.spdx.json").write_text(json.dumps(spdx(parts, version), indent=1) + "\n")


if __name__ == "__main__":
    main()
