#!/bin/sh
":" //; set -f
":" /*
# What `tenterhook` is for a shell; Node reads it as a comment. `tenterhook hook` asks the monitor's daemon first, which
# takes a fraction of the time that Node needs to start. Unless the daemon replies 200 with a whole reply, the call is
# decided by Node, under the same id. Never write an asterisk before a slash here: it would end Node's comment.
case $# in 1) ;; *) exec node "$0" "$@" ;; esac
case $1 in hook) ;; *) exec node "$0" "$@" ;; esac
state=${XDG_STATE_HOME:-}
case $state in /?*) ;; *) state=${HOME:-}/.local/state ;; esac
socket=$state/tenterhook/monitor/hook.sock
case $socket in /?*) ;; *) exec node "$0" "$@" ;; esac
# Only this user's socket, and only in folders of this user, is ours.
{ [ -S "$socket" ] && [ -O "$socket" ] && [ -O "${socket%?hook.sock}" ]; } || exec node "$0" "$@"
{ read -r id </proc/sys/kernel/random/uuid; } 2>/dev/null || id=$RANDOM-$RANDOM-$RANDOM-$RANDOM
case $id in ---) exec node "$0" "$@" ;; esac
# A shell can't hold a zero byte. The byte that replaces it makes the payload just as invalid.
payload=$(LC_ALL=C tr '\000' '\001' && echo .)
case $payload in *.) payload=${payload%.} ;; *) exec node "$0" "$@" ;; esac
newline='
'
if reply=$({ printf '%s\000' "call-$id" "$PWD" && env -0 && printf '\000%s' "$payload"; } 2>/dev/null |
  curl --disable --silent --noproxy '*' --unix-socket "$socket" --connect-timeout 1 --max-time 2 \
    --max-filesize 10000000 --header 'content-type: application/octet-stream' --header 'expect:' \
    --data-binary @- --write-out '\n%{http_code}' "http://localhost/hook/@VERSION@" 2>/dev/null); then
  case $reply in *"${newline}200")
    printf %s "${reply%"${newline}200"}" || exit 2
    exit 0
    ;;
  esac
fi
exec node "$0" hook --call "call-$id" <<PAYLOAD
$payload
PAYLOAD
*/;
