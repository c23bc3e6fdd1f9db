#!/usr/bin/env bash
# Installs JDKs from Debian's packages, whichever release of Debian carries them.
#
#   jdks.sh [DIR [VERSION...]]
#
# gives DIR/jdk-VERSION/bin/java, javac, jar, ... for each version; tried with
# 8, 11, 17, 21, 25 on Debian bookworm. `cargo xtask test` and `cargo xtask jdks`
# call it with those that are missing. DIR is by default where the tests look,
# tamis/jdks in the user's cache folder, and the versions are those five. No root
# needed, nothing outside DIR is touched, and a version already there and running
# is left alone. One version that fails does not keep the others away; the exit
# code tells. Where packages come from is written in debian.sh.
#
# A package that wants a newer glibc than this machine's gets a private copy of
# that glibc under jdk-VERSION/lib/glibc, named as the interpreter of every
# executable of that JDK; such a JDK cannot be moved to another folder (a
# symbolic link to it is fine). Libraries built here, JVMTI agents among them,
# load into it as usual, because a newer glibc runs older code.
#
# To install a version again, delete DIR/jdk-VERSION first.
set -euo pipefail
# shellcheck source=debian.sh
. "$(dirname "${BASH_SOURCE[0]}")/debian.sh"

versions=("${@:2}")
[ ${#versions[@]} -gt 0 ] || versions=(8 11 17 21 25)
for v in "${versions[@]}"; do
  [[ $v =~ ^[0-9]+$ ]] || die "not a JDK version: $v"
done
enter "${1:-${XDG_CACHE_HOME:-$HOME/.cache}/tamis/jdks}"

works() { # a JDK that runs and compiles
  "$dir/jdk-$1/bin/java" -version >/dev/null 2>&1 &&
    "$dir/jdk-$1/bin/javac" -version >/dev/null 2>&1
}

todo=()
failed=()
for v in "${versions[@]}"; do
  if works "$v"; then
    say "jdk-$v is there: $("$dir/jdk-$v/bin/java" -version 2>&1 | head -n 1)"
  elif [ -e "$dir/jdk-$v" ]; then
    say "$dir/jdk-$v is there but does not run; delete it and try again"
    failed+=("$v")
  else
    todo+=("$v")
  fi
done

here=$(getconf GNU_LIBC_VERSION | awk '{ print $2 }')

patchelf_bin=
need_patchelf() {
  [ -z "$patchelf_bin" ] || return 0
  if patchelf_bin=$(command -v patchelf); then return 0; fi
  local s
  for s in $suites; do # the first one that runs here
    version_in patchelf "$s" >/dev/null || continue
    unpack patchelf "$s" "$work/patchelf-$s"
    patchelf_bin=$work/patchelf-$s/usr/bin/patchelf
    if "$patchelf_bin" --version >/dev/null 2>&1; then return 0; fi
  done
  die "no patchelf that runs here"
}

# The newest GLIBC_x.y symbol version asked for by the ELF files of a folder.
glibc_wanted() {
  find "$1" -type f \( -perm -u+x -o -name '*.so*' \) -print0 |
    { xargs -0 -r readelf -W -V 2>/dev/null || true; } |
    { grep -oE 'Name: GLIBC_[0-9]+(\.[0-9]+)+' || true; } |
    sed 's/.*_//' | sort -V | tail -n 1
}

private_glibc() { # JDK-FOLDER FINAL-FOLDER WANTED
  local s have libc="" ld file interp rpath lib
  need_patchelf
  for s in $suites; do
    have=$(version_in libc6 "$s") || continue
    if dpkg --compare-versions "$have" ge "$3"; then libc=$s; break; fi
  done
  [ -n "$libc" ] || die "no suite of ($suites) has glibc $3"
  unpack libc6 "$libc" "$work/libc"
  mkdir -p "$1/lib/glibc"
  for lib in libc.so.6 libm.so.6 libdl.so.2 libpthread.so.0 librt.so.1 libresolv.so.2 libutil.so.1 libanl.so.1; do
    file=$(find "$work/libc" -name "$lib" | head -n 1)
    [ -n "$file" ] || die "no $lib in libc6 of $libc"
    cp -L "$file" "$1/lib/glibc/"
  done
  ld=$(find "$work/libc" -name 'ld-linux*.so.*' ! -type d | head -n 1)
  [ -n "$ld" ] || die "no loader in libc6 of $libc"
  file=$(find "$work/libc" -type f -name "$(basename "$(readlink -m "$ld")")" | head -n 1)
  cp -L "${file:-$ld}" "$1/lib/glibc/$(basename "$ld")"
  chmod 755 "$1"/lib/glibc/*
  interp=$2/lib/glibc/$(basename "$ld")
  # RPATH (not RUNPATH) also serves the libraries an executable loads, and the
  # libraries named as needed are there before any that would bring the
  # machine's own copies in.
  find "$1" -type f -perm -u+x ! -path "$1/lib/glibc/*" -print0 | while IFS= read -r -d '' file; do
    "$patchelf_bin" --print-interpreter "$file" >/dev/null 2>&1 || continue
    rpath=$("$patchelf_bin" --print-rpath "$file")
    # One change at a time: patchelf 0.14 garbles several made in one run.
    for lib in libm.so.6 libdl.so.2 libpthread.so.0 librt.so.1; do
      "$patchelf_bin" --add-needed "$lib" "$file" || die "patchelf failed on $file"
    done
    "$patchelf_bin" --set-interpreter "$interp" "$file" || die "patchelf failed on $file"
    "$patchelf_bin" --force-rpath --set-rpath "${rpath:+$rpath:}$2/lib/glibc" "$file" || die "patchelf failed on $file"
  done
}

install() { # VERSION
  local v=$1 suite root jdk final wanted
  suite=$(suite_of "openjdk-$v-jdk-headless") || die "no openjdk-$v-jdk-headless in: $suites"
  say "jdk-$v:"
  root=$work/root-$v
  final=$dir/jdk-$v
  unpack "openjdk-$v-jre-headless" "$suite" "$root"
  unpack "openjdk-$v-jdk-headless" "$suite" "$root"
  jdk=$(find "$root/usr/lib/jvm" -mindepth 1 -maxdepth 1 -type d -name "java-$v-openjdk-*" | head -n 1)
  [ -n "$jdk" ] || die "the packages of openjdk-$v hold no JDK folder"
  settle_links "$jdk" "$root"
  # Debian's JDK 8 names a screen-reader bridge that is a package of its own;
  # without it, code that touches Swing fails even when headless.
  find "$jdk" -name accessibility.properties -exec sed -i 's/^assistive_technologies=/#&/' {} +
  wanted=$(glibc_wanted "$jdk")
  [ -n "$wanted" ] || die "no glibc version found in the files of openjdk-$v"
  if dpkg --compare-versions "$wanted" gt "$here"; then
    say "  wants glibc $wanted, this machine has $here: a private glibc"
    private_glibc "$jdk" "$final" "$wanted"
  fi
  mv -T "$jdk" "$final"
  if ! works "$v"; then
    "$final/bin/java" -version >&2 || true
    rm -rf "$final"
    die "jdk-$v was unpacked but does not run"
  fi
  # The class-data archive of the package's own installation step; it only
  # makes a JVM start faster.
  "$final/bin/java" -Xshare:dump >/dev/null 2>&1 || say "  no class-data archive (harmless)"
  # Debian's JDK 8 lacks the file that says which version this is.
  [ -e "$final/release" ] ||
    "$final/bin/javac" -version 2>&1 | sed -n 's/^javac \(.*\)/JAVA_VERSION="\1"/p' >"$final/release"
  say "  $("$final/bin/java" -version 2>&1 | head -n 1)"
}

if [ ${#todo[@]} -gt 0 ]; then
  scratch
  read_lists
fi
for v in ${todo[@]+"${todo[@]}"}; do
  # Not `install || ...`: bash forgets `set -e` in what stands before `||`.
  set +e
  (set -e; install "$v")
  status=$?
  set -e
  [ $status -eq 0 ] || failed+=("$v")
done
[ ${#failed[@]} -eq 0 ] || die "not installed: ${failed[*]}"
