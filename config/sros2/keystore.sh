#!/bin/bash
# Makes a keystore with the enclaves /firstcontact, /robot and /gate, as ros2
# security does, where there is no ROS: openssl is enough.
# Usage: keystore.sh KEYSTORE [DOMAIN [DAYS]]
# DOMAIN is the ROS_DOMAIN_ID, 0 where it is left out; DAYS (3650) is how long the
# keys are valid. Then give each process its own enclave, and no other:
#   export ROS_SECURITY_ENABLE=true ROS_SECURITY_STRATEGY=Enforce ROS_SECURITY_KEYSTORE=KEYSTORE
#   firstcontact node --ros-args --enclave /firstcontact ...
# KEYSTORE/private holds the key that makes further enclaves: keep it off the robot.
set -euo pipefail
umask 077
keystore=${1:?usage: keystore.sh KEYSTORE [DOMAIN [DAYS]]} domain=${2:-0} days=${3:-3650}
here=$(cd "$(dirname "$0")" && pwd)
[[ ! -e $keystore ]] || { echo "$keystore is there already" >&2; exit 1; }
[[ $domain =~ ^[0-9]+$ && $days =~ ^[0-9]+$ ]] || { echo "DOMAIN and DAYS are numbers" >&2; exit 2; }

mkdir -p "$keystore"/{public,private,enclaves}
cd "$keystore"
from=$(date -u -d 'now - 1 hour' +%Y-%m-%dT%H:%M:%S) # clocks differ
to=$(date -u -d "now + $days days" +%Y-%m-%dT%H:%M:%S)

run() { # COMMAND... : with what it says, if it fails
	local said
	said=$("$@" 2>&1) || { echo "$*: $said" >&2; exit 1; }
}
key() { run openssl ecparam -name prime256v1 -genkey -noout -out "$1"; }
only() { # ENCLAVE: leaves the other grants out, as a document may hold but its owner's
	awk -v own="<grant name=\"/$1\">" '/<grant /{other = !index($0, own)} !other; /<\/grant>/{other = 0}'
}
sign() { # INTO : the document on standard input
	sed -e "s|<id>0</id>|<id>$domain</id>|" -e "s|<not_before>.*</not_before>|<not_before>$from</not_before>|" \
		-e "s|<not_after>.*</not_after>|<not_after>$to</not_after>|" >"$1.xml"
	run openssl smime -sign -text -in "$1.xml" -out "$1.p7s" -signer public/ca.cert.pem -inkey private/ca.key.pem
}

key private/ca.key.pem
run openssl req -x509 -new -key private/ca.key.pem -days "$days" -subj '/CN=sros2CA' -out public/ca.cert.pem \
	-addext basicConstraints=critical,CA:TRUE
sign enclaves/governance <"$here/governance.xml"
for enclave in firstcontact robot gate; do
	mkdir "enclaves/$enclave"
	key "enclaves/$enclave/key.pem"
	run openssl req -new -key "enclaves/$enclave/key.pem" -subj "/CN=\\/$enclave" -out request.pem
	run openssl x509 -req -in request.pem -CA public/ca.cert.pem -CAkey private/ca.key.pem -CAcreateserial -days "$days" \
		-out "enclaves/$enclave/cert.pem"
	rm request.pem
	only "$enclave" <"$here/permissions.xml" | sign "enclaves/$enclave/permissions"
	ln -s ../../public/ca.cert.pem "enclaves/$enclave/identity_ca.cert.pem"
	ln -s ../../public/ca.cert.pem "enclaves/$enclave/permissions_ca.cert.pem"
	ln -s ../governance.p7s "enclaves/$enclave/governance.p7s"
done
echo "$keystore: enclaves /firstcontact, /robot and /gate for domain $domain until $to"
