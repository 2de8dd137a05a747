#!/usr/bin/env bash
# A throw-away Postgres 17 server with pgvector, for running the tests on a server instead of the embedded database.
#
#   scripts/postgres-server.sh start [--port P]   starts it (or finds it running) and prints DATABASE_URL=…
#   scripts/postgres-server.sh status             prints whether it runs, and its DATABASE_URL
#   scripts/postgres-server.sh restart            stops it and starts it again with its data, after OUTAGE_SECONDS (default 1)
#   scripts/postgres-server.sh stop               stops it and deletes its data; the software stays for the next start
#
# It needs root on Debian 12 or newer, and touches nothing outside its own folder (.pgserver, or $PGSERVER_DIR).
# Debian 12 has no pgvector; Debian 13's packages are downloaded from the machine's own mirror by an apt that has its
# own lists, cache and status, unpacked next to the few programs that they call, and run there by chroot as a user
# without rights. `fsync` is off: a crash of the machine may lose everything.
set -euo pipefail

readonly SUITE=trixie
readonly PACKAGES=(postgresql-17 postgresql-17-pgvector dash coreutils libc-bin)
# Any number that the machine does not use for somebody else.
readonly SERVER_UID=54317
readonly START_TIMEOUT_SECONDS=60

project=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
folder=${PGSERVER_DIR:-$project/.pgserver}
apt=$folder/apt
tree=$folder/root
bin=/usr/lib/postgresql/17/bin

fail() {
  echo "postgres-server: $*" >&2
  exit 1
}

main() {
  local command=${1:-}
  shift || true
  case $command in
    start) start "$@" ;;
    restart) restart ;;
    stop) stop ;;
    status) status ;;
    *)
      echo "usage: $0 start [--port P] | restart | stop | status" >&2
      exit 2
      ;;
  esac
}

start() {
  local port=''
  while (($#)); do
    case $1 in
      --port) port=${2:?--port needs a number} && shift 2 ;;
      *) fail "unknown option $1" ;;
    esac
  done
  require_debian_and_root
  mkdir -p "$folder"
  # One start at a time; the server must not inherit the lock, or it would hold it as long as it runs.
  exec 9>"$folder/lock"
  flock 9
  if ! is_running; then
    [[ -f $folder/unpacked ]] || unpack
    make_cluster
    run_server "${port:-$(free_port)}"
  fi
  print_url
}

restart() {
  is_running || fail 'not running'
  local port
  port=$(sed -n 4p "$tree/data/postmaster.pid")
  shut_down
  sleep "${OUTAGE_SECONDS:-1}"
  run_server "$port"
  print_url
}

# SIGINT is Postgres's fast shutdown: it ends sessions instead of waiting for them.
shut_down() {
  local pid
  pid=$(server_pid)
  kill -INT "$pid"
  wait_until 30 process_is_gone "$pid" || kill -QUIT "$pid"
}

stop() {
  if is_running; then shut_down; fi
  rm -rf "$tree/data" "$folder/url" "$folder/server.log"
}

status() {
  if is_running; then
    print_url
  else
    echo 'not running'
    return 3
  fi
}

require_debian_and_root() {
  local id='' VERSION_ID=''
  # shellcheck disable=SC1091
  [[ -r /etc/os-release ]] && id=$(. /etc/os-release && echo "${ID:-}") && VERSION_ID=$(. /etc/os-release && echo "${VERSION_ID:-0}")
  [[ $id == debian && ${VERSION_ID%%.*} -ge 12 ]] || fail "this needs Debian 12 or newer (here: ${id:-unknown} $VERSION_ID). \
Use any Postgres 17 or 18 with pgvector instead and set TEST_DATABASE_URL."
  [[ $EUID -eq 0 ]] || fail 'this needs root, for chroot. Run it with sudo, or set TEST_DATABASE_URL to another server.'
}

# ── software ─────────────────────────────────────────────────────────────────────────────────────────────────────

unpack() {
  echo 'postgres-server: downloading Postgres 17 and pgvector (once) …' >&2
  rm -rf "$apt" "$tree"
  mkdir -p "$apt"/{state/lists/partial,cache/archives/partial} "$tree"
  : >"$apt/state/status"
  update_lists
  own_apt install --download-only --yes "${PACKAGES[@]}" >"$apt/log" || { cat "$apt/log" >&2; fail 'the packages could not be downloaded'; }
  find "$apt/cache/archives" -maxdepth 1 -name '*.deb' -print0 | xargs -0 -P 2 -I '{}' dpkg -x '{}' "$tree"
  furnish
  touch "$folder/unpacked"
  rm -rf "$apt"
}

# apt with a world of its own; what it inherits from the machine is the proxy and the certificates.
own_apt() {
  apt-get -q \
    -o Dir::State="$apt/state" -o Dir::State::status="$apt/state/status" -o Dir::Cache="$apt/cache" \
    -o Dir::Etc::sourcelist="$apt/sources.list" -o Dir::Etc::sourceparts=/dev/null \
    -o Dir::Etc::preferences=/dev/null -o Dir::Etc::preferencesparts=/dev/null \
    -o APT::Sandbox::User=root -o APT::Install-Recommends=false -o Acquire::Languages=none -o Acquire::Retries=3 \
    "$@"
}

# A Debian 12 that has not been updated for long may lack the key of Debian 13. Its own suite, which it can verify,
# then has a newer package of keys.
update_lists() {
  local mirror
  mirror=$(debian_mirror)
  [[ -n $mirror ]] || fail "no Debian mirror found in this machine's apt sources"
  if ! update_from "$mirror" /usr/share/keyrings/debian-archive-keyring.gpg; then
    echo 'postgres-server: fetching newer archive keys …' >&2
    update_from "$mirror" "$(fetch_newer_keys)" || { cat "$apt/log" >&2; fail "the package lists of $SUITE could not be fetched and verified"; }
  fi
}

update_from() {
  local mirror=$1 keys=$2
  [[ -r $keys ]] || return 1
  echo "deb [signed-by=$keys target=Packages] $mirror $SUITE main" >"$apt/sources.list"
  own_apt update --error-on=any >"$apt/log" 2>&1
}

# The address that the machine itself uses for its release.
debian_mirror() {
  local found
  found=$(list_mirrors)
  if [[ -z $found ]]; then
    # A fresh image has no lists, and without them apt does not tell what it is configured for.
    machine_apt update >/dev/null 2>&1 || true
    found=$(list_mirrors machine_apt)
  fi
  head -n 1 <<<"$found"
}

list_mirrors() {
  local codename
  # shellcheck disable=SC1091
  codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
  "${1:-apt-get}" indextargets --format '$(CREATED_BY) $(ORIGIN) $(CODENAME) $(COMPONENT) $(REPO_URI)' 2>/dev/null |
    sed -n "s/^Packages Debian $codename main //p"
}

# The machine's own sources, with lists in our folder.
machine_apt() {
  mkdir -p "$apt/machine/partial"
  apt-get -q -o Dir::State::lists="$apt/machine" -o APT::Sandbox::User=root -o Acquire::Languages=none "$@"
}

fetch_newer_keys() {
  mkdir -p "$apt/keys"
  machine_apt update >/dev/null 2>&1 || true
  (cd "$apt/keys" && machine_apt -o Dir::Cache="$apt/cache" download debian-archive-keyring >/dev/null 2>&1 && dpkg -x ./*.deb .) || true
  echo "$apt/keys/usr/share/keyrings/debian-archive-keyring.gpg"
}

# What a system has and packages alone do not make.
furnish() {
  local name
  for name in bin sbin lib lib64; do
    [[ -e $tree/$name || -L $tree/$name ]] || { [[ -d $tree/usr/$name ]] && ln -s "usr/$name" "$tree/$name"; } || true
  done
  ln -sf dash "$tree/usr/bin/sh"
  mkdir -p "$tree"/{dev/shm,etc,run,tmp,proc}
  chmod 1777 "$tree"/{dev/shm,tmp}
  make_device null 3
  make_device urandom 9
  echo "postgres:x:$SERVER_UID:$SERVER_UID::/data:/bin/sh" >"$tree/etc/passwd"
  echo "postgres:x:$SERVER_UID:" >"$tree/etc/group"
  chroot "$tree" /sbin/ldconfig 2>/dev/null || true
}

# Some containers may not make devices; a plain file takes what is written to /dev/null, and random numbers come from
# a system call in any case.
make_device() {
  local path=$tree/dev/$1
  rm -f "$path"
  mknod -m 666 "$path" c 1 "$2" 2>/dev/null || { : >"$path" && chmod 666 "$path"; }
  # A file system mounted without devices lets them be made but not opened.
  { : >>"$path"; } 2>/dev/null || { rm -f "$path" && : >"$path" && chmod 666 "$path"; }
}

# ── server ───────────────────────────────────────────────────────────────────────────────────────────────────────

in_tree() {
  chroot --userspec="$SERVER_UID:$SERVER_UID" "$tree" /usr/bin/env -i PATH="$bin:/usr/bin:/bin" LC_ALL=C.UTF-8 "$@"
}

# Always a new one: what a server that was killed has left behind is worth nothing without fsync.
make_cluster() {
  rm -rf "$tree/data"
  install -d -m 700 -o "$SERVER_UID" -g "$SERVER_UID" "$tree/data"
  local password
  password=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
  install -m 600 -o "$SERVER_UID" /dev/stdin "$tree/tmp/password" <<<"$password"
  in_tree initdb --pgdata=/data --username=postgres --pwfile=/tmp/password --auth=scram-sha-256 --encoding=UTF8 \
    --locale=C.UTF-8 --no-sync >"$folder/server.log" 2>&1 || { cat "$folder/server.log" >&2; fail 'initdb failed'; }
  rm -f "$tree/tmp/password"
  (umask 077 && echo "postgres://postgres:$password@127.0.0.1:PORT/postgres" >"$folder/url")
}

run_server() {
  local port=$1
  setsid chroot --userspec="$SERVER_UID:$SERVER_UID" "$tree" /usr/bin/env -i LC_ALL=C.UTF-8 "$bin/postgres" -D /data \
    -c listen_addresses=127.0.0.1 -c port="$port" -c unix_socket_directories='' -c max_connections=200 \
    -c fsync=off -c synchronous_commit=off -c full_page_writes=off -c shared_buffers=256MB -c timezone=UTC \
    </dev/null >>"$folder/server.log" 2>&1 9>&- &
  local server=$!
  wait_until "$START_TIMEOUT_SECONDS" is_ready_or_gone "$server" "$port" || true
  accepts_connections "$port" || { tail -n 20 "$folder/server.log" >&2; fail 'the server did not start'; }
}

is_ready_or_gone() {
  process_is_gone "$1" || accepts_connections "$2"
}

accepts_connections() {
  in_tree pg_isready --quiet --host=127.0.0.1 --port="$1"
}

free_port() {
  local port
  for port in {54317..54417}; do
    # Nobody answers: free. A race for it ends in the server's own clear message.
    (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || { echo "$port" && return; }
  done
  fail 'no free port between 54317 and 54417'
}

# The first line of Postgres's own lock file is the process id of the server, the fourth its port.
server_pid() {
  sed -n 1p "$tree/data/postmaster.pid" 2>/dev/null
}

is_running() {
  local pid
  pid=$(server_pid) && [[ -n $pid && -d /proc/$pid && $(readlink "/proc/$pid/root") == "$(readlink -f "$tree")" ]]
}

process_is_gone() {
  [[ ! -d /proc/$1 ]]
}

print_url() {
  echo "DATABASE_URL=$(sed "s/PORT/$(sed -n 4p "$tree/data/postmaster.pid")/" "$folder/url")"
}

wait_until() {
  local end=$((SECONDS + $1))
  shift
  until "$@"; do
    ((SECONDS < end)) || return 1
    sleep 0.1
  done
}

main "$@"
