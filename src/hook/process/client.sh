#!/usr/bin/env sh
":" //; set -f
":" /*
# What `tenterhook` is for a shell; Node reads it as a comment, which an asterisk before a slash would end.
# `tenterhook hook` asks the daemon of the monitor first, in perl, which starts in a fraction of the time that Node takes.
# Unless the daemon sends a whole reply with status 200, Node decides the call, with the same payload and under the same id.
state=${XDG_STATE_HOME:-}
case $state in /?*) ;; *) state=${HOME:-}/.local/state ;; esac
# `tenterhook agent wake` is a background hook of Claude Code: it waits until the monitor has a message for the session, and
# ends with exit code 2, which wakes it. A shell waits, since there is one for each idle session. Without anybody at the
# session, as in `claude -p`, the end of the session would wait for this one.
if [ $# = 2 ] && [ "$1 $2" = "agent wake" ]; then
  cat > /dev/null
  case ${CLAUDE_CODE_SESSION_ID:-.} in *[!A-Za-z0-9_-]*) exit 0 ;; esac
  [ "${CLAUDE_CODE_SESSION_ATTENDED:-}" = 1 ] || exit 0
  umask 077
  wake=$state/tenterhook/monitor/wake
  mkdir -p "$wake" && [ -O "$wake" ] || exit 0
  wake=$wake/$CLAUDE_CODE_SESSION_ID
  # Each waiter has files of its own, so that none removes a message to another one. An earlier process may have had its id.
  mine=$wake.$$
  rm -f "$mine.message" "$mine.taken" "$mine.read"
  echo $$ > "$mine.new" && mv -f "$mine.new" "$wake.waiter" || exit 0
  exec 3>&2 2> /dev/null
  # Until another one waits, the session ends, or the agent was killed.
  while read -r newest < "$wake.waiter" && [ "$newest" = $$ ] && kill -0 "${CLAUDE_PID:-$PPID}"; do
    if [ -f "$mine.message" ] && mv -f "$mine.message" "$mine.taken"; then
      read -r newest < "$wake.waiter" && [ "$newest" = $$ ] && rm -f "$wake.waiter"
      cat "$mine.taken" >&3 && mv -f "$mine.taken" "$mine.read"
      rm -f "$mine.taken"
      exit 2
    fi
    sleep 1
  done
  exit 0
fi
# `tenterhook agent status-line` is a part of Claude Code's status line, which runs many times in a turn: it leaves what it is
# told for the daemon, and writes it for the command behind it.
if [ "$*" = "agent status-line" ]; then
  told=$(cat)
  printf '%s\n' "$told"
  case ${CLAUDE_CODE_SESSION_ID:-.} in *[!A-Za-z0-9_-]*) exit 0 ;; esac
  umask 077
  line=$state/tenterhook/monitor/status-line
  mkdir -p "$line" && [ -O "$line" ] || exit 0
  line=$line/$CLAUDE_CODE_SESSION_ID
  printf '%s' "$told" > "$line.$$" && mv -f "$line.$$" "$line.json" || rm -f "$line.$$"
  exit 0
fi
# Node would open a closed stdout as a file that nobody reads, and a refusal would be lost there.
if [ "${1-}" = hook ] && ! { true 9>&1; } 2> /dev/null; then
  echo "tenterhook can't decide: its stdout is closed." >&2
  exit 2
fi
socket=$state/tenterhook/monitor/hook.sock
# The socket counts only if it and its folder are of this user. The variables would change how perl works, and another
# perl than that of the system may be a stand-in that starts none.
if [ $# = 1 ] && [ "$1" = hook ] && [ "${TENTERHOOK_DAEMON-}" != 0 ] && [ -S "$socket" ] && [ -O "$socket" ] && [ -O "${socket%?hook.sock}" ] &&
  [ -z "${PERL5OPT-}${PERL5DB-}${PERL_UNICODE-}" ] && [ -x /usr/bin/perl ]; then
  PERL_BADLANG=0 exec /usr/bin/perl -f -e '
    my ($program, $socket, $folder) = @ARGV;
    delete $ENV{PERL_BADLANG};
    binmode STDIN;
    binmode STDOUT;
    my $payload = "";
    while (length $payload <= 64_000_000) {
      my $read = sysread STDIN, $payload, 65536, length $payload;
      last if defined $read ? $read == 0 : $! != 4 && $! != 11 && $! != 35;
      next if defined $read;
      # A pipe that does not block has nothing yet.
      vec(my $stdin = "", 0, 1) = 1;
      select $stdin, undef, undef, undef;
    }
    my ($id, $reply, $daemon, $code, $errors);
    # Whatever waits for the daemon then fails.
    $SIG{ALRM} = sub { close $daemon if $daemon };
    # Few processes of ours start at the same time: more of them would slow down a daemon that is only busy. The others ask it
    # again, with more patience.
    my ($slot, $patience, $until) = (undef, 1, time + 20);
    while (1) {
      eval {
        local $SIG{PIPE} = "IGNORE";
        $id ||= newId() or die;
        my $address = $^O eq "linux" ? pack("S a*", 1, "$socket\0") : pack("C C a*", length($socket) + 3, 1, "$socket\0");
        socket $daemon, 1, 1, 0 or die;
        alarm 2 * $patience;
        connect $daemon, $address or die;
        my $body = join("", map { "$_\0" } $id, $folder, $$, getppid, readlink("/proc/self/ns/mnt") || "", map { "$_=$ENV{$_}" } sort keys %ENV) . "\0$payload";
        my $length = length $body;
        my $rest = "POST /hook/@VERSION@ HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-length: $length\r\n\r\n$body";
        while (length $rest) {
          my $written = syswrite $daemon, $rest;
          die unless $written;
          substr($rest, 0, $written) = "";
        }
        my $received = "";
        while (sysread $daemon, $received, 65536, length $received) {
          # While a program decides, the daemon says so; nothing else gives it more time.
          alarm 2 * $patience if $received =~ s{^(?:HTTP/1\.1 102 [^\r]*\r\n\r\n)+}{};
        }
        my ($head, $text) = split /\r\n\r\n/, $received, 2;
        ($code) = $head =~ /\r\nx-exit-code: (\d+)/i;
        ($errors) = $head =~ /\r\nx-stderr-bytes: (\d+)/i;
        $reply = $text if $head =~ m{^HTTP/1\.1 200 } && $head =~ /\r\ncontent-length: (\d+)/i && length $text == $1;
      };
      alarm 0;
      last if defined $reply || ($slot = freeSlot()) || time > $until;
      $patience = 5;
      select undef, undef, undef, 0.1;
    }
    if (defined $reply) {
      # What goes to stderr comes first.
      print STDERR substr $reply, 0, $errors || 0, "";
      # Nobody reads the null device.
      if (length $reply && -c STDOUT && (stat STDOUT)[6] == (stat "/dev/null")[6]) {
        print STDERR "tenterhook could not write its decision: its stdout leads to the null device.\n$reply\n";
        exit 2;
      }
      exit((print STDOUT $reply) && close(STDOUT) ? $code || 0 : 2);
    }
    # A file without a name, for Node to read from its start.
    open my $input, "+>", undef or exit 2;
    binmode $input;
    (print $input $payload) && seek $input, 0, 0 or exit 2;
    open STDIN, "<&", $input or exit 2;
    sysseek STDIN, 0, 0 or exit 2;
    $ENV{TENTERHOOK_SLOT} = fileno $slot if ref $slot;
    exec "node", $program, "hook", defined $id ? ("--call", $id) : ();
    exit 2;
    sub newId {
      open my $random, "<:raw", "/dev/urandom" or return;
      sysread($random, my $bytes, 16) == 16 or return;
      return "call" . unpack("H24", $bytes) . "-1";
    }
    # A locked file, which Node inherits and closes when it has started. Without room for files there is no limit.
    sub freeSlot {
      local $^F = 1000;
      my ($mask, $free) = umask 077;
      for my $number (1 .. 4) {
        open my $file, ">>", "$socket.slot$number" or $free = 1;
        $free ||= $file if $file && flock $file, 6;
        last if $free;
      }
      umask $mask;
      return $free;
    }
  ' -- "$0" "$socket" "$PWD"
fi
if [ "${1-}" = hook ] && ! command -v node > /dev/null; then
  echo "tenterhook can't decide: there is no node on the PATH." >&2
  exit 2
fi
exec node "$0" "$@"
*/;
