# shellcheck shell=bash disable=SC2154
# What the front door says goes to standard error: standard output is the program's.

say() { printf 'kibitz: %s\n' "$*" >&2; }
die() { say "$@" && exit 1; }
