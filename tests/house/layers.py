"""Compares what the folders of C++ include with what they may use.

usage: layers.py [ROOT]          prints what is wrong with the tree, exit code 1 if anything is
       layers.py --write [ROOT]  writes the picture of the list into the README, between its two marks

The list of what each folder may use is layers.txt, beside this file; the README shows it as the picture of the house.
"""

import fnmatch
import pathlib
import re
import sys
import textwrap

LIST = "tests/house/layers.txt"
README = "README.md"
BEGIN = f"<!-- The layers, from {LIST} -->"
PICTURE_WIDTH = 120
END = "<!-- End of the layers -->"

# The trees whose folders the list must name. Nothing in them may use the tests.
LAYERED = ("engine", "server", "client", "deploy")
TREES = (*LAYERED, "tests", "third_party")
SUFFIXES = (".h", ".cc", ".inc")

_INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.MULTILINE)


class Layers:
    """The list: which headers are a library's, and what each folder may use, the lowest folder first."""

    def __init__(self, text):
        self.libraries = {}
        self.allowed = {}
        self.problems = []
        for line in _join_lines(text):
            name, mark, uses = re.fullmatch(r"\s*(\S+)\s*([=:]?)(.*)", line).groups()
            if mark == "=":
                self.libraries[name] = uses.split()
            elif mark == ":" and name not in self.allowed:
                self._add_folder(name, uses.split())
            else:
                self.problems.append(f"{LIST}: cannot read '{line.strip()}'")

    def _add_folder(self, folder, uses):
        for used in uses:
            if used not in self.libraries and used not in self.allowed and not used.endswith(SUFFIXES):
                self.problems.append(f"{LIST}: {folder} uses {used}, which does not stand above it")
        self.allowed[folder] = uses

    def libraries_of(self, header):
        return [
            name
            for name, patterns in self.libraries.items()
            if any(fnmatch.fnmatchcase(header, pattern) for pattern in patterns)
        ]


def _join_lines(text):
    """The lines that say something; one that begins with many blanks goes on with the line before."""
    lines = []
    for line in text.splitlines():
        if re.match(r"\s{8}", line) and line.strip() and lines:
            lines[-1] += line
        elif line.strip() and not line.startswith("#"):
            lines.append(line)
    return lines


def read_includes(root):
    """File -> headers that it includes, each by its path in the tree where it is there."""
    includes = {}
    for tree in TREES:
        for path in sorted((root / tree).rglob("*")):
            if path.suffix in SUFFIXES and "node_modules" not in path.parts and path.is_file():
                name = path.relative_to(root).as_posix()
                headers = _INCLUDE.findall(path.read_text(encoding="utf-8", errors="replace"))
                includes[name] = [_in_tree(root, path, header) for header in headers]
    return includes


def _in_tree(root, path, header):
    if "/" not in header and (path.parent / header).is_file():
        return (path.parent / header).relative_to(root).as_posix()
    return header


def folder_of(name):
    return name.rpartition("/")[0]


def _tree_of(name):
    return name.partition("/")[0]


def check_folders(layers, includes):
    """What the includes of the layered trees use that they may not, and folders that only tree or list know."""
    problems = []
    folders = {folder_of(name) for name in includes if _tree_of(name) in LAYERED}
    for folder in sorted(folders - layers.allowed.keys()):
        problems.append(f"{LIST}: does not name the folder {folder}")
    for folder in sorted(layers.allowed.keys() - folders):
        problems.append(f"{LIST}: names the folder {folder}, where no C++ is")
    for name, headers in includes.items():
        if folder_of(name) in layers.allowed:
            for header in headers:
                problems += _check_include(layers, name, header)
    return problems


def _check_include(layers, name, header):
    folder = folder_of(name)
    if _tree_of(header) in TREES:
        if folder_of(header) == folder or {header, folder_of(header)} & set(layers.allowed[folder]):
            return []
        return [f"{name} includes {header}: {folder} may not use {folder_of(header)}"]
    return [
        f"{name} includes {header}: {folder} may not use {library}"
        for library in layers.libraries_of(header)
        if library not in layers.allowed[folder]
    ]


def check_cycles(includes):
    """Each ring of files that include each other, once."""
    problems, path, done = [], [], set()

    def visit(name):
        if name in path:
            problems.append("a cycle: " + " -> ".join([*path[path.index(name) :], name]))
        elif name in includes and name not in done:
            path.append(name)
            for header in includes[name]:
                visit(header)
            done.add(path.pop())

    for name in includes:
        visit(name)
    return problems


def _tiers(layers, tree):
    """The folders of a tree, those that use no other of it first: each stands above all that it may use there."""
    tier_of = {}
    for folder, uses in layers.allowed.items():
        if _tree_of(folder) == tree:
            used = [name if name in tier_of else folder_of(name) for name in uses]
            tier_of[folder] = 1 + max((tier_of[name] for name in used if name in tier_of), default=-1)
    tiers = [[] for _ in range(1 + max(tier_of.values(), default=-1))]
    for folder, tier in tier_of.items():
        tiers[tier].append(folder.partition("/")[2] or folder)
    return tiers


def picture(text):
    """The list in short, as the README shows it, marks included: a line of tiers for each tree."""
    layers = Layers(text)
    trees = list(dict.fromkeys(map(_tree_of, layers.allowed)))
    width = max(map(len, trees), default=0) + 2
    lines = []
    for tree in trees:
        words = "  <  ".join(" ".join(tier) for tier in _tiers(layers, tree))
        lines += textwrap.wrap(words, PICTURE_WIDTH, initial_indent=tree.ljust(width), subsequent_indent=" " * width,
                               break_on_hyphens=False)
    return "\n".join([BEGIN, "```", *lines, "```", END])


def check_readme(readme, text):
    if readme.count(BEGIN) != 1 or readme.count(END) != 1:
        return [f"{README}: must have the marks '{BEGIN}' and '{END}', each once"]
    if picture(text) not in readme:
        return [f"{README}: its picture is not {LIST}; `python3 tests/house/layers.py --write` writes it"]
    return []


def write_readme(readme, text):
    before, begin, rest = readme.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"{README} lacks the marks '{BEGIN}' and '{END}'")
    return before + picture(text) + after


def check_tree(root):
    """All that is wrong with a tree, a line each."""
    text = (root / LIST).read_text(encoding="utf-8")
    layers = Layers(text)
    includes = read_includes(root)
    readme = (root / README).read_text(encoding="utf-8")
    return layers.problems + check_folders(layers, includes) + check_cycles(includes) + check_readme(readme, text)


def main():
    arguments = sys.argv[1:]
    write = "--write" in arguments
    places = [pathlib.Path(argument) for argument in arguments if argument != "--write"]
    root = places[0] if places else pathlib.Path(__file__).resolve().parents[2]
    if write:
        readme = root / README
        text = (root / LIST).read_text(encoding="utf-8")
        readme.write_text(write_readme(readme.read_text(encoding="utf-8"), text), encoding="utf-8")
    problems = check_tree(root)
    for problem in problems:
        print(problem)
    raise SystemExit(bool(problems))


if __name__ == "__main__":
    main()
