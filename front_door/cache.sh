# shellcheck shell=bash
# Where things are kept that may be lost, and how long.

# Prints the folder for what may be lost: the user's cache, or one of our own below /tmp without a writable home.
cache_folder() {
  local folder
  for folder in "${XDG_CACHE_HOME:-}" "${HOME:+$HOME/.cache}"; do
    [[ $folder == /* ]] || continue
    [[ -d $folder/kibitz ]] || mkdir -p "$folder/kibitz" 2>/dev/null || continue
    if [[ -w $folder/kibitz ]]; then
      printf '%s\n' "$folder/kibitz"
      return
    fi
  done
  folder=${TMPDIR:-/tmp}/kibitz-$UID
  mkdir -m 700 "$folder" 2>/dev/null || true
  [[ -O $folder && ! -L $folder ]] || die "$folder belongs to somebody else: set XDG_CACHE_HOME to a folder of yours"
  printf '%s\n' "$folder"
}

short_hash() {
  local hash
  hash=$(sha256sum)
  printf '%s\n' "${hash:0:32}"
}

# Removes all but the newest few of the folders in a folder, and leaves those alone that are being made.
keep_newest() {
  find "$2" -mindepth 1 -maxdepth 1 -type d \( ! -name '*new*' -o -mtime +0 \) -printf '%T@ %p\n' | sort -rn |
    tail -n "+$(($1 + 1))" | cut -d ' ' -f 2- |
    while IFS= read -r folder; do rm -rf "$folder"; done
}

# Keeps the programs used last, and for a month the objects not used and the looks of earlier sources.
tidy() {
  keep_newest 8 "$1/programs"
  find "$1" -maxdepth 1 -name 'objects-*' -exec find {} -type f -mtime +30 -atime +30 -delete \;
  [[ ! -d $1/glances ]] || find "$1/glances" -type f -mtime +30 -delete
}
