#!/bin/sh
# Stands in for `tenterhook hook` where a daemon may be running: asks it over its socket, which takes a small part of the
# time that Node takes to start. The daemon is never needed: unless it answers 200 at once, the call is decided here, by the
# program next to this file, with the same answer.
#
#   TENTERHOOK_BUNDLE   the program that decides without a daemon; by default the one next to this file

state=${XDG_STATE_HOME:-}
case $state in /*) ;; *) state=$HOME/.local/state ;; esac
case $state in /*) ;; *) state=/ ;; esac
daemon=$state/tenterhook/daemon

here() {
  self=$0
  if [ -L "$self" ]; then self=$(readlink -f -- "$self"); fi
  exec node "${TENTERHOOK_BUNDLE:-$(dirname -- "$self")/tenterhook.cjs}" "$@"
}

# The socket and the line with the token are of this user alone, or they are not ours.
if [ "$*" != hook ] || ! [ -S "$daemon/socket" ] || ! [ -O "$daemon/socket" ] || ! [ -O "$daemon/authorization" ]; then
  here "$@"
fi

payload=$(cat; echo .)
payload=${payload%.}
# What it answers at once is the reply, with exit code 0. A call that needs longer, or another exit code, it leaves to us.
if reply=$(printf %s "$payload" | curl --disable --silent --noproxy '*' --unix-socket "$daemon/socket" \
  --connect-timeout 1 --max-time 2 --max-filesize 10000000 --header "@$daemon/authorization" \
  --header 'content-type: application/json' --header 'expect:' --data-binary @- \
  --write-out '\n%{http_code}' http://localhost/hook 2>/dev/null); then
  newline='
'
  case $reply in
  *"${newline}200")
    printf %s "${reply%"${newline}200"}"
    exit 0
    ;;
  esac
fi
printf %s "$payload" | here "$@"
