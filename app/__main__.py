"""`python -m app`: the one place where errors are caught and shown."""

import sys


def main() -> int:
    arguments = sys.argv[1:]
    if arguments == ["--version"]:
        from app.version import VERSION

        print(f"kernelwright {VERSION}")
        return 0
    from app.cli import run

    return run(arguments)


if __name__ == "__main__":
    sys.exit(main())
