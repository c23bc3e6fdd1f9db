# Packages of Debian without root, unpacked and not installed: the part that jdks.sh
# and maven.sh share. Sourced; it expects `set -euo pipefail`.
#
# They are Debian's own, signature-checked by apt, from the mirror that apt is
# configured with, out of the first of these suites that has the package:
#
#   DEBIAN_SUITES   default "bookworm bullseye trixie sid"
#
# Each failure is one line, and leaves nothing half done: all work is in a
# scratch folder, and what is finished is renamed.

suites=${DEBIAN_SUITES:-bookworm bullseye trixie sid}

say() { echo "$(basename "$0"): $*" >&2; }
die() { say "$@"; exit 1; }

enter() { # DIR: makes it, and waits until no other call works there
  local tool
  for tool in apt-get apt-cache dpkg dpkg-deb flock getconf readelf; do
    command -v "$tool" >/dev/null || die "$tool not found: this needs Debian, with binutils"
  done
  mkdir -p "$1" 2>/dev/null || die "cannot make the folder $1; XDG_CACHE_HOME names another place for caches"
  dir=$(cd "$1" && pwd -P)
  { exec 9>"$dir/.lock"; } 2>/dev/null || die "cannot write to $dir; XDG_CACHE_HOME names another place for caches"
  flock 9
}

scratch() { # makes $work, in $dir, for as long as this call runs
  work=$(mktemp -d "$dir/.unpacked.XXXXXX")
  trap 'rm -rf "$work"' EXIT
  # From a call that was killed; no other call is running.
  find "$dir" -maxdepth 1 -name '.unpacked.*' ! -path "$work" -exec rm -rf {} +
}

# A private apt: the machine's mirror and keys, its own lists and suites.
read_lists() {
  local mirror keyring s
  mirror=$(apt-get indextargets --format '$(REPO_URI)|$(COMPONENT)|$(RELEASE)' 'Created-By: Packages' |
    awk -F'|' '$2 == "main" && $3 !~ /security|updates|backports/ && $1 ~ /debian\/?$/ { print $1; exit }')
  [ -n "$mirror" ] || die "no Debian mirror in apt's configuration (apt-get indextargets shows none)"
  keyring=/usr/share/keyrings/debian-archive-keyring.gpg
  [ -r "$keyring" ] || die "no $keyring (package debian-archive-keyring)"
  mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/debs"
  for s in $suites; do
    echo "deb [arch=$(dpkg --print-architecture) signed-by=$keyring] $mirror $s main"
  done >"$work/sources.list"
  # An empty dpkg status, lest what is installed here takes part in the choice.
  : >"$work/status"
  apt_opts=(
    -o "Dir::Etc::sourcelist=$work/sources.list" -o Dir::Etc::sourceparts=/dev/null
    -o Dir::Etc::preferences=/dev/null -o Dir::Etc::preferencesparts=/dev/null
    -o "Dir::State::lists=$work/lists" -o "Dir::State::status=$work/status"
    -o "Dir::Cache=$work/cache" -o Acquire::Languages=none
    -o Acquire::IndexTargets::deb::Contents-deb::DefaultEnabled=false
    -o Dir::Cache::pkgcache=pkgcache.bin -o Dir::Cache::srcpkgcache=srcpkgcache.bin
    -o Acquire::GzipIndexes=false
    -o APT::Sandbox::User= -o Acquire::Retries=3 -o Acquire::Check-Valid-Until=false
  )
  say "reading the package lists of: $suites"
  # A suite that the mirror does not have, or not now, does not keep the others away.
  apt-get "${apt_opts[@]}" -qq update >"$work/apt.log" 2>&1 || say "apt-get update: $(last_error)"
  compgen -G "$work/lists/*_Packages" >/dev/null || die "no package lists from $mirror: $(last_error)"
}
last_error() { { grep -E '^[EW]:' "$work/apt.log" || echo "no reason given"; } | head -n 1; }

# The suite a package is taken from: the first of $suites that has it.
suite_of() {
  local s
  for s in $suites; do
    if version_in "$1" "$s" >/dev/null; then echo "$s"; return 0; fi
  done
  return 1
}
version_in() { # PACKAGE SUITE: its newest version there
  apt-cache "${apt_opts[@]}" madison "$1" 2>/dev/null |
    awk -F'|' -v s="$2" '{ gsub(/ /, "", $2); split($3, a, " "); if (a[2] == s "/main") { print $2; found = 1; exit } } END { exit !found }'
}
unpack() { # PACKAGE SUITE FOLDER
  local version
  version=$(version_in "$1" "$2") || die "no package $1 in $2"
  say "  $1 $version ($2)"
  rm -f "$work"/debs/*.deb
  (cd "$work/debs" && apt-get "${apt_opts[@]}" -qq download "$1=$version") >"$work/apt.log" 2>&1 ||
    die "download of $1 failed: $(last_error)"
  mkdir -p "$3"
  dpkg-deb -x "$work"/debs/*.deb "$3" || die "unpacking $1 failed"
}

# Files that Debian keeps elsewhere and links to by absolute path (the
# configuration under /etc) take the place of the links; the certificate store
# stays the machine's; the other dangling links go (documentation, packages not
# unpacked).
settle_links() { # FOLDER UNPACKED-ROOT
  local link target
  find "$1" -type l -print0 | while IFS= read -r -d '' link; do
    target=$(readlink "$link")
    case $target in
      /*)
        if [ -e "$2$target" ] || [ -L "$2$target" ]; then
          rm "$link"
          cp -RL "$2$target" "$link"
        fi
        ;;
    esac
  done
  find "$1" -xtype l -print0 | while IFS= read -r -d '' link; do
    case $link in
      */cacerts) say "  warning: $(readlink "$link") is missing (package ca-certificates-java): no TLS from this JDK" ;;
      *) rm "$link" ;;
    esac
  done
}
