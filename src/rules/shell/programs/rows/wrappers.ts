import { shellWord } from "../../../../shared/shell-word.ts";
import { ALL_VARIABLES, isSecretWhenPrinted } from "../../judge/secret-names.ts";
import type { ProgramFamily, Wrapper } from "../program-row.ts";
import { PLAIN } from "../row-parts.ts";

const LOADER = "--library-path --preload --audit --argv0 --glibc-hwcaps-prepend";

const ARCHITECTURE =
  /^(?:linux(?:32|64)|i[3-6]86|x86_64|x86|amd64|arm\w*|aarch64\w*|ppc\w*|s390x?|mips\w*|sparc\w*|riscv\w*|alpha|ia64)$/;

const PANE: Wrapper = { values: "-s -n -c -x -y -w -h -l -p -t -F -e", text: true };

/** Programs whose purpose is to run another command. */
export const WRAPPERS: ProgramFamily = {
  sudo: {
    wraps: {
      values:
        "-u -g -h -p -C -r -t -T -U -R -D --user --group --host --prompt --chroot --chdir --role --type",
      folder: "-D --chdir",
      assignments: true,
    },
  },
  doas: { wraps: { values: "-u -C", assignments: true } },
  pkexec: { wraps: { values: "--user" } },
  "gosu su-exec perf": { wraps: { skip: 1 } },
  su: { wraps: { values: "-s -g -G -w --shell --group", scripts: "-c --command", skip: 99 } },
  runuser: { wraps: { values: "-u -s -g -G --user --shell", scripts: "-c --command" } },
  env: {
    wraps: {
      values: "-u -C -P -L -U -a --unset --chdir --argv0",
      folder: "-C --chdir",
      scripts: "-S --split-string",
      splits: "env",
      assignments: true,
      transparent: true,
    },
    // Without a command it prints the variables, those it is given too.
    printsSecret: ({ words, parsed }) =>
      words.every((word) => /^[-\w]+=/.test(word) || /^-/.test(word)) &&
      !parsed.flags.some((flag) => /^(?:-i|-|--ignore-environment|--help|--version)$/.test(flag))
        ? ALL_VARIABLES
        : [],
    traits: ["printsVariables"],
  },
  printenv: {
    printsSecret: ({ parsed }) =>
      parsed.args.length === 0
        ? ALL_VARIABLES
        : parsed.args.filter(isSecretWhenPrinted).map((variable) => `$${variable}`),
    traits: ["printsVariables"],
  },
  "timeout gtimeout": { wraps: { values: "-s -k --signal --kill-after", skip: 1, transparent: true } },
  nice: { wraps: { values: "-n --adjustment", transparent: true } },
  ionice: { wraps: { values: "-c -n -t --class --classdata", transparent: true } },
  chrt: { wraps: { values: "-T -P -D", skip: 1 } },
  taskset: { wraps: { skip: 1 } },
  prlimit: { wraps: { values: "-p --pid -o --output" } },
  numactl: {
    wraps: { values: "-i -p -P -m -N -C -l --interleave --preferred --membind --cpunodebind --physcpubind" },
  },
  cpulimit: { wraps: { values: "-l --limit -p --pid -e --exe" } },
  choom: { wraps: { values: "-n --adjust" } },
  sg: { wraps: { scripts: "-c", skip: 1, text: true } },
  "ld.so ld-linux.so.2 ld-linux-x86-64.so.2 ld-linux-aarch64.so.1 ld-musl-x86_64.so.1": {
    wraps: { values: LOADER },
  },
  ip: { wrapsAfter: { "netns exec": { skip: 1 }, "vrf exec": { skip: 1 } } },
  "nohup setsid unbuffer chronic catchsegv torsocks torify shx eatmydata linux32 linux64": { wraps: PLAIN },
  setarch: { wraps: { passes: ARCHITECTURE } },
  // On macOS it runs a command; without one it prints the architecture.
  arch: { wraps: { values: "-d -arch", assignments: true }, harmlessWhen: /^arch$/ },
  "cross-env cross-env-shell": { wraps: { assignments: true } },
  time: {
    wraps: { values: "-o -f --output --format", transparent: true, inShell: true },
    traits: ["needsParser"],
  },
  gtime: { wraps: { values: "-o -f --output --format", transparent: true } },
  stdbuf: { wraps: { values: "-i -o -e --input --output --error", transparent: true } },
  caffeinate: { wraps: { values: "-t -w", transparent: true } },
  "busybox toybox": { wraps: {} },
  watch: { wraps: { values: "-n --interval", text: true } },
  chroot: { wraps: { values: "--userspec --groups", skip: 1 } },
  unshare: { wraps: { values: "-S -G --setuid --setgid --root -R --wd -w --map-user --map-group" } },
  nsenter: { wraps: { values: "-t -S -G --target --setuid --setgid" } },
  setpriv: { wraps: { values: "--reuid --regid --groups --inh-caps --bounding-set --ambient-caps" } },
  capsh: { wraps: { afterDashes: true } },
  "start-stop-daemon": {
    values: "-x -a -p -n -u -g -c -d -N -r -k -R -s",
    same: "--start=-S --exec=-x --startas=-a --pidfile=-p --name=-n --user=-u --chuid=-c --chdir=-d --signal=-s",
    otherCommands: ({ options, args }) =>
      options.flatMap(({ flag, value }) =>
        /^-[ax]$/.test(flag) ? [[value, ...args].map(shellWord).join(" ")] : [],
      ),
  },
  "systemd-run": {
    wraps: {
      values:
        "-p --property --unit -u --uid --gid --slice -H -M --on-active --on-calendar -E --setenv --working-directory --description --nice",
      variables: "-E --setenv",
    },
  },
  "systemd-inhibit": { wraps: { values: "--what --who --why --mode" } },
  flock: { wraps: { values: "-w -E --timeout --wait", scripts: "-c --command", skip: 1 } },
  script: {
    values: "-c -T -B -I -O -E -m",
    access: "w",
    wraps: { values: "-T -B -I -O -E -m", scripts: "-c --command", skip: 1, afterDashes: "when given" },
  },
  strace: {
    values: "-o --output",
    same: "--output=-o",
    commandOptions: [["-o", /^[|!](.+)$/s]],
    wraps: { values: "-e -o -p -s -u -E -P -a -S -b -I -O -X --trace --output" },
  },
  ltrace: { wraps: { values: "-e -o -p -s -u -a -l -n -x" } },
  "valgrind rlwrap firejail": { wraps: {} },
  bwrap: {
    wraps: {
      values:
        "--bind --ro-bind --dev --proc --tmpfs --chdir --setenv --unsetenv --dev-bind --symlink --hostname --uid --gid",
    },
  },
  fakeroot: { wraps: { values: "-l -s -i -u -b" } },
  proot: { wraps: { values: "-r -b -w -q -R -S" } },
  "proxychains proxychains4": { wraps: { values: "-f" } },
  "xvfb-run": { wraps: { values: "-n -s -e -f -p --server-args --server-num" } },
  "dbus-run-session": { wraps: { values: "--config-file" } },
  daemonize: { wraps: { values: "-a -c -e -o -p -l -u -E" } },
  entr: { wraps: { scripts: "-s" } },
  nodemon: { wraps: { values: "-w --watch -e --ext -i --ignore", scripts: "-x --exec" } },
  watchexec: { wraps: { values: "-w --watch -e --exts -i --ignore -d --debounce", text: true } },
  hyperfine: {
    wraps: {
      values:
        "-w -m -M -r --warmup --min-runs --max-runs --runs --export-json --export-markdown -S --shell -P",
      scripts: "-p -c -s --prepare --conclude --cleanup --setup",
      text: true,
    },
  },
  // `npm:dev:*` is scripts of the package.
  concurrently: {
    wraps: { values: "-n --names -c", passes: /^(?:npm|pnpm|yarn|bun|node|deno):[\w:*-]+$/, text: true },
  },
  tini: { wraps: { values: "-p -e" } },
  "dumb-init catatonit": { wraps: { values: "-r --rewrite" } },
  cgexec: { wraps: { values: "-g" } },
  "faketime envdir envuidgid setuidgid s6-setuidgid s6-envdir setlock gdbserver": { wraps: { skip: 1 } },
  chpst: { wraps: { values: "-u -U -e -b -/ -n -l -L -m -d -o -p -f -c -r -t" } },
  softlimit: { wraps: { values: "-m -d -s -l -a -o -p -f -c -r -t" } },
  "flatpak-spawn with-contenv heaptrack systemd-cat": { wraps: {} },
  "sandbox-exec aa-exec": { wraps: { values: "-f -n -p -D --profile --namespace" } },
  rr: { wrapsAfter: { record: {} } },
  "singularity apptainer enroot": {
    wrapsAfter: { exec: { values: "-B --bind --env --pwd -H --home", skip: 1 } },
  },
  "env-cmd": { wraps: { values: "-f -e -r --file --environments --rc-file" } },
  "chokidar onchange": { wraps: { scripts: "-c --command", skip: 1 } },
  "tmux tmate byobu": {
    wrapsAfter: Object.fromEntries([
      ...["new", "new-session", "neww", "new-window", "splitw", "split-window"].map((name) => [name, PANE]),
      ...["respawnp", "respawn-pane", "respawnw", "respawn-window", "popup", "display-popup"].map((name) => [
        name,
        PANE,
      ]),
      ...["run", "run-shell", "send", "send-keys", "pipep", "pipe-pane", "setb", "set-buffer"].map((name) => [
        name,
        { values: "-t -d -N -b", text: true },
      ]),
      ...["if", "if-shell", "bind", "bind-key", "set-hook"].map((name) => [name, { skip: 99 }]),
    ]),
    otherCommands: ({ args }) => args.filter((arg) => /\S\s+\S/.test(arg)),
  },
  screen: { wraps: { values: "-S -t -c -p -h -s -T -e", skip: 0 } },
  // Of `screen -X stuff` and `tmux if-shell x "run-shell y"`.
  "stuff run-shell": { wraps: { text: true } },
  "xterm uxterm urxvt rxvt st kitty kitten foot alacritty wezterm ghostty gnome-terminal mate-terminal xfce4-terminal lxterminal konsole tilix guake tilda terminator kgx ptyxis x-terminal-emulator xdg-terminal-exec zellij ttyd gotty xdotool ydotool wtype dotool":
    { traits: ["types", "needsParser"] },
};
