"""Run the command line: `python -m readyroom`."""

from readyroom.cli import main

if __name__ == "__main__":
    main()
