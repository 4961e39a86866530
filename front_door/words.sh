# shellcheck shell=bash
# What the front door says goes to standard error: standard output is the program's.

say() { printf 'kibitz: %s\n' "$*" >&2; }
die() { say "$@" && exit 1; }

# Tells whether arguments ask for help.
ask_for_help() { [[ " $* " == *" -h "* || " $* " == *" --help "* ]]; }
