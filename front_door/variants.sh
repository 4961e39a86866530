# shellcheck shell=bash disable=SC2154
# The builds of each program that a package holds side by side.

# Prints their names: those of their configurations in .bazelrc.
package_variants() { grep -oP '^build:\Kx86-64-\S+' "$root/.bazelrc" | LC_ALL=C sort -u; }

# Tells whether this machine can run the build of a variant.
runs_variant() { [[ $1 == x86-64-v2 ]] || { grep -qw avx2 /proc/cpuinfo && grep -qw bmi2 /proc/cpuinfo; }; }
