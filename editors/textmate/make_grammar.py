#!/usr/bin/env python3
"""Writes the word lists of the editors, the viewer's among them, from the program's own table of words.

    make_grammar.py SINEW           writes the files
    make_grammar.py SINEW --check   fails when a file is not what it would write

The words come from `sinew help --reference`; the templates (*.in.*) hold everything else.
"""
import json
import pathlib
import re
import subprocess
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

# What a reserved word is to an editor. The program says which words are reserved: see below.
DECLARING = "var dynamic import param def".split()
CONSTANTS = "pi time".split()
UNITS = "mm cm km gram kg ms sec fps deg".split()
EASINGS = "linear slowin slowout slowinout hold".split()

OUTPUTS = {  # output: template
    "editors/textmate/charli.tmLanguage.json": "editors/textmate/charli.tmLanguage.in.json",
    "editors/vscode/charli.tmLanguage.json": "editors/textmate/charli.tmLanguage.in.json",
    "editors/neovim/syntax/charli.vim": "editors/neovim/syntax/charli.in.vim",
    "viewer/src/words.ts": "editors/viewer/words.in.ts",
}


def read_words(program):
    """The reserved and the built-in words, each in the order of the reference page."""
    page = subprocess.run([program, "help", "--reference"], check=True, capture_output=True,
                          text=True, encoding="utf-8", timeout=30).stdout
    reserved_part = page.partition("\n## Reserved words\n")[2].partition("\n## ")[0]  # the table of topics follows it
    reserved = re.findall(r"^\| `(\w+)` \|", reserved_part, re.MULTILINE)
    words = [w for w in re.findall(r"^### (\w+)$", page, re.MULTILINE) if w not in reserved]
    if not reserved or not words:
        sys.exit("`sinew help --reference` lists no words: has its layout changed?")
    known = DECLARING + CONSTANTS + UNITS + EASINGS
    if gone := [w for w in known if w not in reserved]:
        sys.exit(f"make_grammar.py: {', '.join(gone)}: no longer reserved; update the lists here")
    return reserved, list(dict.fromkeys(words))


def make_lists(program):
    reserved, words = read_words(program)
    special = DECLARING + CONSTANTS + UNITS + EASINGS
    return {
        "RESERVED": reserved,
        "DECLARING": DECLARING,
        "KEYWORDS": [w for w in reserved if w not in special],
        "CONSTANTS": CONSTANTS,
        "UNITS": UNITS,
        "EASINGS": EASINGS,
        "WORDS": words,
    }


def fill(template, lists):
    """Puts the words where the template says @LIST@, or @LIST:|@ with | between them."""
    text = (ROOT / template).read_text(encoding="utf-8")
    text = re.sub(r"@([A-Z]+)(?::(.*?))?@", lambda m: (m[2] or " ").join(lists[m[1]]), text)
    if template.endswith(".ts"):
        text = "\n".join("\n    ".join(textwrap.wrap(line, 116)) for line in text.split("\n"))
    if template.endswith(".json"):
        text = json.dumps(json.loads(text), indent=2, ensure_ascii=False) + "\n"
    return text


def main():
    arguments = [a for a in sys.argv[1:] if a != "--check"]
    if len(arguments) != 1:
        sys.exit(__doc__)
    lists = make_lists(arguments[0])
    stale = []
    for output, template in OUTPUTS.items():
        text = fill(template, lists)
        path = ROOT / output
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        stale.append(output)
        if "--check" not in sys.argv:
            path.write_text(text, encoding="utf-8")
    if "--check" in sys.argv and stale:
        sys.exit(f"stale: {', '.join(stale)}\nrun editors/textmate/make_grammar.py SINEW")
    print(f"{'wrote ' + ', '.join(stale) if stale else 'up to date'}: {len(lists['WORDS'])} words")


main()
