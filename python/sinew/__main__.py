"""`sinew`: the program that the wheel carries."""
import os
import pathlib
import sys


def main() -> None:
    program = pathlib.Path(__file__).parent / "bin" / "sinew"
    if not program.exists():
        sys.exit("this package was built without the program: build it with ./dev build, or install a released wheel")
    os.execv(program, [str(program), *sys.argv[1:]])


if __name__ == "__main__":
    main()
