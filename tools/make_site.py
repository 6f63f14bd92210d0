#!/usr/bin/env python3
"""The documents as a site: make_site.py OUT [--cpp FOLDER]. This version of them goes into OUT/VERSION, beside those of other versions that are there already;
each page offers them all, and OUT/index.html leads to the newest. Pages, pictures and scripts keep their places, so that links between them hold; the reference of
the Python package is made from the package itself, that of C++ is Doxygen's, where FOLDER has it. Then every link of every page is followed.
The site needs nothing from the network. Runs in the environment of the tests, which has mkdocs-material and the package."""
import html.parser
import importlib
import inspect
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parent.parent
SHOWN = (".md", ".png", ".webp", ".svg", ".jpg", ".charli")
CONFIG = """\
site_name: Sinew
site_description: A dynamics engine for animation
docs_dir: pages
site_dir: {site}
use_directory_urls: false
theme:
  name: material
  font: false
  features: [navigation.tabs, navigation.top, navigation.indexes, search.suggest, search.highlight, content.code.copy]
  palette:
    - media: "(prefers-color-scheme: light)"
      scheme: default
      toggle: {{icon: material/weather-night, name: dark}}
    - media: "(prefers-color-scheme: dark)"
      scheme: slate
      toggle: {{icon: material/weather-sunny, name: light}}
extra: {{version: {{provider: mike}}}}
plugins: [search]
markdown_extensions: [tables, toc, pymdownx.highlight, pymdownx.superfences]
validation: {{links: {{not_found: warn, anchors: warn, unrecognized_links: ignore, absolute_links: warn}}, nav: {{omitted_files: ignore}}}}
nav:
  - Sinew: README.md
  - Start: [docs/guide/first-steps.md, {start}]
  - Guide: [{guide}]
  - Tutorials: [{tutorials}]
  - Words: docs/guide/words.md
  - Gallery: docs/gallery/README.md
  - Theory: [{theory}]
  - Python: reference/python.md
  - Project: [ARCHITECTURE.md, CHANGELOG.md, CONTRIBUTING.md, NOTATION.md]
"""


def tracked():
    return subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()


def targets(page, text):
    """What a page links to, as paths of the repository."""
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)|(?:href|src)=\"([^\"#]+)", text):
        name = next(filter(None, target))
        if "://" not in name:
            yield (page.parent / urllib.parse.unquote(name)).resolve()


def stage(pages):
    """Copies what is shown, and every other file that a page links to; links to folders lead to their README."""
    names = [name for name in tracked() if name.endswith(".md") or (name.endswith(SHOWN) and name.startswith(("docs/", "examples/")))]
    linked = {path for name in names if name.endswith(".md") for path in targets(ROOT / name, (ROOT / name).read_text())}
    names += [str(path.relative_to(ROOT)) for path in linked if path.is_file() and path.is_relative_to(ROOT)]
    for name in set(names):
        to = pages / name
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, to)
    for page in pages.rglob("*.md"):
        here = ROOT / page.relative_to(pages)
        page.write_text(re.sub(r"\]\(([^)#\s:]+)\)", lambda m: f"]({with_page(here.parent, m[1])})", page.read_text()))
    for folder in {path for path in linked if path.is_dir() and path.is_relative_to(ROOT)}:
        list_folder(pages, folder.relative_to(ROOT))


def with_page(here, target):
    if not (here / target).is_dir():
        return target
    return f"{target.rstrip('/')}/{'index.md' if (here / target / 'index.md').exists() else 'README.md'}"


def list_folder(pages, folder):
    page = pages / folder / "README.md"
    if page.exists() or (pages / folder / "index.md").exists():
        return
    page.parent.mkdir(parents=True, exist_ok=True)
    files = sorted(path for path in (pages / folder).rglob("*") if path.is_file())
    page.write_text(f"# {folder}\n\n" + "\n".join(f"- [{path.relative_to(page.parent)}]({path.relative_to(page.parent)})" for path in files) + "\n")


def described(name, thing):
    """A heading and the text of a class, function or property."""
    text = inspect.getdoc(thing) or ""
    if isinstance(thing, property) or not callable(thing):
        return f"### {name}\n\n{text}\n"
    try:
        signature = str(inspect.signature(thing))
    except (TypeError, ValueError):
        signature, _, text = text.partition("\n")
        signature = signature[signature.find("("):] or "()"
    return f"### {name}\n\n```python\n{name}{signature}\n```\n\n{text.strip()}\n"


def python_reference():
    package = importlib.import_module("sinew")
    parts = [f"# The Python package\n\n{inspect.getdoc(package).splitlines()[0]} See [the guide](../docs/guide/python.md).\n"]
    for name in package.__all__:
        thing = getattr(package, name)
        if not inspect.isclass(thing):
            if callable(thing):
                parts.append(f"## {name}\n\n" + described(name, thing).split("\n", 2)[2])
            continue
        parts.append(f"## {name}\n\n{inspect.getdoc(thing) or ''}\n")
        own = {key: value for kind in reversed(thing.__mro__[:-1]) if "sinew" in kind.__module__ for key, value in vars(kind).items()}
        parts += [described(f"{name}.{key}", value) for key, value in sorted(own.items()) if not key.startswith("_")]
    return "\n".join(parts)


class Links(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.links, self.anchors, self.loaded = [], set(), []

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.anchors.update(filter(None, (given.get("id"), given.get("name"))))
        for key in ("href", "src"):
            if given.get(key):
                self.links.append(given[key])
                if tag in ("script", "img", "link", "video", "source") and given.get("rel") != "canonical":
                    self.loaded.append(given[key])


def faults(site):
    seen = {}
    for page in site.rglob("*.html"):
        seen[page.resolve()] = Links()
        seen[page.resolve()].feed(page.read_text(errors="replace"))
    for page, links in seen.items():
        name = page.relative_to(site.resolve())
        for link in links.loaded:
            if link.startswith(("http:", "https:", "//")):
                yield f"{name}: loads {link} from the network"
        for link in links.links:
            address = urllib.parse.urlsplit(link)
            if address.scheme or address.netloc or name.name == "404.html" or name.parts[0] == "cpp":
                continue
            path = (page.parent / urllib.parse.unquote(address.path)).resolve() if address.path else page
            path = path / "index.html" if path.is_dir() else path
            if not path.exists():
                yield f"{name}: no file for {link}"
            elif address.fragment and path in seen and urllib.parse.unquote(address.fragment) not in seen[path].anchors and not address.fragment.startswith("__"):
                yield f"{name}: no place for {link}"


def nav(pages, folder):
    return ", ".join(str(path.relative_to(pages)) for path in sorted((pages / folder).glob("*.md"), key=lambda path: (path.name not in ("README.md", "index.md"), path.name))
                     if path.name not in ("words.md", "first-steps.md"))


def version():
    return re.search(r"^project\([^)]*?VERSION\s+([\d.]+)", (ROOT / "CMakeLists.txt").read_text(), re.M | re.S)[1]


def list_versions(out):
    """versions.json, which the pages read, and the way from the top to the newest."""
    names = sorted((path.parent.name for path in out.glob("*/index.html")), key=lambda name: [int(n) for n in name.split(".")], reverse=True)
    (out / "versions.json").write_text(json.dumps([{"version": name, "title": name, "aliases": ["latest"] if name == names[0] else []} for name in names]))
    (out / "index.html").write_text(f'<!doctype html><meta charset="utf-8"><title>Sinew</title><meta http-equiv="refresh" content="0; url={names[0]}/index.html">'
                                    f'<a href="{names[0]}/index.html">Sinew {names[0]}</a>\n')


def main():
    out = pathlib.Path(sys.argv[1]).resolve()
    site = out / version()
    cpp = pathlib.Path(sys.argv[3]) if "--cpp" in sys.argv else None
    shutil.rmtree(site, ignore_errors=True)
    with tempfile.TemporaryDirectory() as folder:
        pages = pathlib.Path(folder) / "pages"
        stage(pages)
        (pages / "reference").mkdir()
        (pages / "reference/python.md").write_text(python_reference())
        config = CONFIG.format(site=site, start=nav(pages, "docs/guide/start"), guide=nav(pages, "docs/guide"), tutorials=nav(pages, "docs/guide/tutorials"), theory=nav(pages, "docs/theory"))
        (pathlib.Path(folder) / "mkdocs.yml").write_text(config)
        done = subprocess.run([sys.executable, "-m", "mkdocs", "build", "-q", "--strict", "-f", f"{folder}/mkdocs.yml"], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stdout + done.stderr)
    if cpp:
        shutil.copytree(cpp, site / "cpp")
    list_versions(out)
    found = sorted(faults(site))
    print("\n".join(found[:50]), end="\n" if found else "")
    print(f"{len(list(site.rglob('*.html')))} pages in {site}, {len(found)} faults")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
