#!/bin/sh
# Installs the executable of a Feedloom release on Linux or macOS:
#
#   sh install.sh [--from URL] [--prefix FOLDER] [--key PUBLIC_KEY]
#
# URL is the folder of the release, which has SHA256SUMS. The executable becomes FOLDER/bin/feedloom. FOLDER is
# /usr/local if this account may write there, else ~/.local. Run it again to install another version; it changes
# nothing if that is installed. It does not become root: run it as root to install for all accounts.
#
# The checksum is always checked; the signature is, if minisign is installed and a public key is known.
set -eu

# A release has the folder and the key of its publisher here.
from=''
key=''
prefix=''

usage='sh install.sh [--from URL] [--prefix FOLDER] [--key PUBLIC_KEY]'

fail() {
  echo "install.sh: $*" >&2
  exit 1
}

# Fetches a file of the release into the temporary folder.
fetch() {
  if command -v curl > /dev/null; then
    curl -fsSL --retry 3 -o "$temporary/$1" "$from/$1"
  elif command -v wget > /dev/null; then
    wget -q -O "$temporary/$1" "$from/$1"
  else
    fail 'neither curl nor wget is installed'
  fi
}

# The part of the file's name that says for which machines it is.
target_of_machine() {
  case "$(uname -m)" in
    x86_64 | amd64) processor=x64 ;;
    aarch64 | arm64) processor=arm64 ;;
    *) fail "there is no release for the processor $(uname -m), only for x86_64 and arm64" ;;
  esac
  case "$(uname -s)" in
    Darwin) echo "macos-$processor" ;;
    Linux)
      target="linux-$processor"
      # The loader of musl is there, and that of glibc is not.
      if exists /lib/ld-musl-* && ! exists /lib*/ld-linux-*; then target="$target-musl"; fi
      if [ "$processor" = x64 ] && ! grep -qw avx2 /proc/cpuinfo; then target="$target-baseline"; fi
      echo "$target"
      ;;
    *) fail "there is no release for $(uname -s), only for Linux and macOS" ;;
  esac
}

# Whether a pattern matched a file.
exists() {
  [ -e "$1" ]
}

sha256() {
  if command -v sha256sum > /dev/null; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d ' ' -f 1
}

check_signature() {
  if ! command -v minisign > /dev/null; then
    echo 'minisign is not installed, so the signature is not checked' >&2
  elif [ -z "$key" ]; then
    echo 'no public key is known (--key), so the signature is not checked' >&2
  else
    fetch SHA256SUMS.minisig || fail "$from has no signature SHA256SUMS.minisig"
    minisign -Vqm "$temporary/SHA256SUMS" -P "$key" || fail 'nothing was installed: the signature is wrong'
  fi
}

main() {
  while [ $# -gt 0 ]; do
    case "$1" in
      --help)
        echo "$usage"
        return
        ;;
      --*) [ $# -gt 1 ] || fail "$1 needs a value: $usage" ;;
    esac
    case "$1" in
      --from) from="${2%/}" ;;
      --prefix) prefix="$2" ;;
      --key) key="$2" ;;
      *) fail "unknown: $1. Expected: $usage" ;;
    esac
    shift 2
  done
  [ -n "$from" ] || fail 'name the folder of the release: --from https://example.com/feedloom/v1.0.0'
  if [ -z "$prefix" ]; then
    prefix="${HOME:-}/.local"
    if [ -w /usr/local/bin ]; then prefix=/usr/local; fi
  fi
  target="$(target_of_machine)"
  installed="$prefix/bin/feedloom"
  temporary="$(mktemp -d)"
  trap 'rm -rf "$temporary" "$installed.new"' EXIT
  trap 'exit 1' HUP INT TERM

  fetch SHA256SUMS || fail "$from/SHA256SUMS cannot be fetched"
  check_signature
  line="$(grep -E "  feedloom-[0-9][0-9A-Za-z.+]*(-[0-9A-Za-z.]+)?-$target\$" "$temporary/SHA256SUMS")" ||
    fail "the release has no executable for $target"
  name="${line#*  }"
  checksum="${line%%  *}"
  if [ -f "$installed" ] && [ "$(sha256 "$installed")" = "$checksum" ]; then
    echo "$installed is $name already"
    return
  fi
  fetch "$name" || fail "$from/$name cannot be fetched"
  [ "$(sha256 "$temporary/$name")" = "$checksum" ] || fail "nothing was installed: the checksum of $name is wrong"

  # A rename replaces an executable that runs, and leaves no half of a file.
  if ! { mkdir -p "$prefix/bin" && cp "$temporary/$name" "$installed.new"; } 2> /dev/null; then
    fail "$prefix/bin cannot be written to: choose another --prefix, or run this as root"
  fi
  chmod 0755 "$installed.new"
  "$installed.new" --version || fail "nothing was installed: $name does not run on this machine"
  mv -f "$installed.new" "$installed"
  echo "installed as $installed"
  case ":$PATH:" in
    *":$prefix/bin:"*) ;;
    *) echo "PATH does not have $prefix/bin" ;;
  esac
}

# At the end, so that a half of this file does nothing.
main "$@"
