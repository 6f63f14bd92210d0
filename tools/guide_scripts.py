"""The scripts of a page of the guide, each as a whole.

On a page with the comment `<!-- scripts add up -->` a block is added to those before it, since statements may come in any order; one that begins with a
comment is whole by itself.
"""
import re

BLOCK = re.compile(r"```charli\n(.*?)```", re.S)
ADD_UP = "<!-- scripts add up -->"


def whole(blocks, adds_up):
    """What each block makes together with those before it."""
    now = ""
    for block in blocks:
        now = now + block if adds_up and not block.startswith("#") else block
        yield now


def scripts(text):
    return list(whole(BLOCK.findall(text), ADD_UP in text))
