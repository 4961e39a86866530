# shellcheck shell=bash disable=SC2154
# `image`: the package in an OCI image, made without a Docker engine, the same bytes for the same commit and packages.

# Whom the server in the image runs as: a number, so that Kubernetes can tell that it is not root.
readonly image_user=10001

# Prints the packages of the libraries that a package needs, with commas. What it needs besides, to make a user, an
# image has no use for.
library_packages() { dpkg-deb --field "$1" Depends | tr ',' '\n' | grep -v '|' | awk '{print $1}' | paste -sd ,; }

# Makes the file system of the image: the programs, the libraries that they need, and nothing to run beside them, no
# shell either.
make_image_root() {
  local package=$1 folder=$2
  # What is installed is written down where scanners for known faults look for it.
  # shellcheck disable=SC2016  # for the shell of mmdebstrap
  mmdebstrap --quiet --variant=extract --include="$(library_packages "$package")" \
    --extract-hook='mkdir -p "$1/var/lib/dpkg/status.d"
      for archive in "$1"/var/cache/apt/archives/*.deb; do
        dpkg-deb --field "$archive" >"$1/var/lib/dpkg/status.d/$(dpkg-deb --field "$archive" Package)"
      done' \
    bookworm "$folder" >&2
  dpkg-deb --extract "$package" "$folder"
  dpkg-deb --field "$package" >"$folder/var/lib/dpkg/status.d/kibitz"
  find "$folder/usr/share/doc" -mindepth 2 ! -name copyright -delete
  (cd "$folder" && rm -rf usr/share/{bash-completion,lintian,locale,man,man-db} usr/lib/{systemd,sysusers.d,tmpfiles.d} \
    lib/systemd etc/{apt,dpkg,fstab,hostname,kibitz,resolv.conf} var/cache var/log var/lib/apt dev/*)
  mkdir -p "$folder"/{etc,proc,sys,run,tmp}
  chmod 1777 "$folder/tmp"
  printf 'root:x:0:0::/:/bin/false\nkibitz:x:%d:%d::/:/bin/false\n' "$image_user" "$image_user" >"$folder/etc/passwd"
  printf 'root:x:0:\nkibitz:x:%d:\n' "$image_user" >"$folder/etc/group"
}

# Makes the image of a file system. Arguments: the file system, a folder to work in, the version of the package in it,
# the image's file.
commit_image() {
  local system=$1 folder=$2 version=$3 output=$4 buildah container time
  buildah=(buildah --storage-driver vfs --root "$folder/storage" --runroot "$folder/run")
  time=$(source_time)
  container=$("${buildah[@]}" from scratch)
  "${buildah[@]}" add --quiet "$container" "$system" / >/dev/null
  "${buildah[@]}" config \
    --user "$image_user:$image_user" --entrypoint '["/usr/bin/kibitzd"]' --workingdir / --port 50051 --stop-signal SIGTERM \
    --env KIBITZ_LISTEN=0.0.0.0:50051 \
    --label org.opencontainers.image.title=Kibitz --label org.opencontainers.image.version="$version" \
    --label org.opencontainers.image.description="Chess analysis as a service" \
    --label org.opencontainers.image.licenses=MIT --label io.buildah.version= \
    --label org.opencontainers.image.revision="$(git -C "$root" rev-parse HEAD 2>/dev/null)" "$container"
  "${buildah[@]}" commit --quiet --format oci --disable-compression=false --timestamp "$time" "$container" \
    "oci:$folder/layout:kibitz:$(source_version)" >/dev/null
  python3 "$root/deploy/image/add_healthcheck.py" "$folder/layout" /usr/bin/kibitz health
  tar --create --file "$output" --directory "$folder/layout" --sort=name --owner=0 --group=0 --numeric-owner \
    --mtime="@$time" --format=gnu blobs index.json oci-layout
}

# Makes the image and prints its path. Arguments: the file, then the package that goes in, or nothing to make one.
make_image() {
  local output=$1 package=${2:-} folder
  require_packages "${package_packages[@]}" "${image_packages[@]}"
  [[ $(id -u) -eq 0 ]] || die "an image is made of files that belong to root: run this as root"
  folder=$(mktemp -d)
  [[ -n $package ]] || package=$(make_package "$folder")
  say "gathering the libraries that the programs need"
  make_image_root "$package" "$folder/root"
  say "making the image"
  mkdir -p "$(dirname "$output")"
  commit_image "$folder/root" "$folder" "$(dpkg-deb --field "$package" Version)" "$output"
  rm -r "$folder"
  printf '%s\n' "$output"
}

run_image() {
  local output
  if ask_for_help "$@"; then
    cat <<'END'
usage: ./kibitz image [--output FILE]

Makes an OCI image of the server and the command line, as an archive (kibitz-image.tar, unless told otherwise), and
prints its path: no shell, not root, and its file system may be mounted read-only. It needs root, but no Docker engine.

  docker load -i kibitz-image.tar         or: podman load -i kibitz-image.tar
  skopeo copy oci-archive:kibitz-image.tar docker://REGISTRY/kibitz
END
    return
  fi
  read_output kibitz-image.tar "$@"
  make_image "$output"
}
