#!/bin/sh
# Builds a small Debian 13 in a folder, with the programs of `npm run chaos -- patroni --root <folder>`: Patroni, etcd
# and PostgreSQL 17. For machines whose own Debian has older ones. Nothing outside of the folder changes; remove it
# with `rm -rf` when it is not wanted any more.
#   sudo sh chaos/kit/make-debian-root.sh <folder> [mirror]
# Needs root, debootstrap and about 700 MB. A folder that was begun and not finished is refused.
set -eu

folder=${1:-}
mirror=${2:-http://deb.debian.org/debian}
packages='patroni etcd-server postgresql-17 python3-etcd python3-psycopg2'

fail() { echo "$1" >&2; exit 2; }

[ -n "$folder" ] || fail 'Which folder? sudo sh chaos/kit/make-debian-root.sh <folder> [mirror]'
[ "$(id -u)" = 0 ] || fail 'Only root can build a Debian in a folder: run it with sudo.'
command -v debootstrap >/dev/null || fail 'debootstrap is missing: apt-get install debootstrap'
if [ -e "$folder/usr/bin/patroni" ] && [ -e "$folder/.complete" ]; then echo "$folder is complete."; exit 0; fi
if [ -e "$folder" ] && [ -n "$(ls -A "$folder")" ]; then
  fail "$folder is not empty and no finished Debian of this script: name another folder, or remove it."
fi

mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
# The account that PostgreSQL runs as has to get in.
chmod 755 "$folder"
log=$folder.log
echo "Building Debian 13 in $folder (about two minutes; all that is said goes to $log) ..."
debootstrap --variant=minbase trixie "$folder" "$mirror" >"$log" 2>&1 || fail "debootstrap failed: see $log"
# Packages start their services when they are installed, unless this says no.
printf '#!/bin/sh\nexit 101\n' >"$folder/usr/sbin/policy-rc.d"
chmod 755 "$folder/usr/sbin/policy-rc.d"
mkdir -p "$folder/etc/postgresql-common"
echo 'create_main_cluster = false' >"$folder/etc/postgresql-common/createcluster.conf"
# shellcheck disable=SC2086 # a list of packages
DEBIAN_FRONTEND=noninteractive chroot "$folder" apt-get install -y -q --no-install-recommends $packages >>"$log" 2>&1 ||
  fail "apt-get failed: see $log"
rm -rf "$folder"/var/cache/apt/archives/*.deb
if grep -q " $folder/proc " /proc/mounts; then umount "$folder/proc"; fi
touch "$folder/.complete"
echo "Done: npm run chaos -- patroni --root $folder"
