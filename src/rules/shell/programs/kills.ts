import type { Behaviour, ShellCommand } from "../analysis.ts";
import { ITEM, shown, unknownParts } from "../words/text.ts";
import type { Invocation, ProgramRow } from "./program-row.ts";

/** Interpreters and programs of the desktop: among their processes are the agent and the user's own. */
const SHARED =
  "node|nodejs|deno|bun|python[\\d.]*|java|ruby|php[\\w-]*|perl|dotnet|beam\\.smp|bash|zsh|sh|fish|ssh|tmux|screen|code|cursor|electron|chrome|chromium|google-chrome|firefox|safari|brave|slack|claude|codex|gemini|explorer|Finder|gnome-shell|plasmashell|Xorg|wayland|loginwindow";
/** Servers that a machine runs for everybody. */
const SERVERS =
  "nginx|apache2?|httpd|caddy|haproxy|traefik|postgres\\w*|postmaster|mysqld?|mariadbd?|redis(?:-server)?|valkey-server|mongod?|memcached|rabbitmq\\S*|elasticsearch|opensearch|kafka|zookeeper|etcd|consul|vault|minio|dockerd?|containerd|podman|kubelet|k3s|init|systemd\\S*|launchd|sshd|crond?|rsyslogd|dbus-daemon|NetworkManager|cupsd|Xvfb|jenkins|grafana\\S*|prometheus|clickhouse\\S*";
const ENDED_BY_ANY = new RegExp(`^(?:${SHARED}|\\.?\\*?|\\.)$`, "i");
const NOT_OURS = new RegExp(`^(?:${SHARED}|${SERVERS}|\\.?\\*?|\\.)$`, "i");

/** What a developer starts in a project and ends again all day. */
const DEVELOPMENT =
  /^(?:vite|webpack\S*|esbuild|rollup|parcel|next\S*|nuxt|astro|remix|gatsby|ng|storybook|nodemon|tsx|ts-node|tsc|jest|vitest|mocha|playwright|cypress|chromedriver|geckodriver|karma|eslint_d|prettierd|turbo|nx|metro|expo|flask|uvicorn|gunicorn|celery|django\S*|streamlit|jupyter\S*|puma|rails|sidekiq|air|cargo|rustc|go|gopls|gradle\S*|serve|http-server|wrangler|miniflare|workerd|hugo|jekyll|mkdocs|sass|watchman|fswatch|entr|qemu\S*|adb|emulator\S*)$/i;

/** Ports at which the servers of a machine listen. */
const SERVER_PORTS = new Set(
  "22 25 53 80 443 1433 1521 2375 2376 3306 5432 5433 5672 6379 6443 9092 9200 11211 15672 27017".split(" "),
);

/** The name that a pattern finds. `[n]ode` finds no search for itself. */
function plainPattern(pattern: string): string {
  return shown(pattern)
    .replace(/\[(\w)\]/g, "$1")
    .replace(/^\^|\$$/g, "");
}

/** What is found by a name: `whole` when the whole command line is searched. */
function isOthers(pattern: string, whole: boolean, forced: boolean): boolean {
  const name = plainPattern(pattern);
  if (NOT_OURS.test(name)) return true;
  return forced && !whole && !DEVELOPMENT.test(name);
}

function portIn(text: string): string | undefined {
  return /(?:^|[:\s])(\d{2,5})(?:\/\w+)?(?:\s|$)/.exec(text)?.[1];
}

/** `lsof -ti tcp`: every process with a connection. */
const EVERY_CONNECTION = /(?=.*\s-\w*t).*\s-\w*i\s*[46]?(?:tcp|udp)?(?:\s+-\S+)*\s*$/i;

/** Whether processes that a command has listed are other people's. */
function listsOthers({ name, args, flags, options, text }: ShellCommand, forced: boolean): boolean {
  switch (name) {
    case "pgrep":
      return (
        options.some(({ flag }) => /^-[uUtg]$/.test(flag)) ||
        args.some((arg) => isOthers(arg, flags.includes("-f"), forced))
      );
    case "pidof":
      return args.some((arg) => isOthers(arg, false, true));
    case "grep":
    case "egrep":
    case "rg":
      return !flags.includes("-v") && isOthers(args[0] ?? "", true, forced);
    case "lsof": {
      const port = portIn(text.replaceAll(/[:,]/g, " "));
      return port === undefined ? EVERY_CONNECTION.test(text) : SERVER_PORTS.has(port);
    }
    default:
      return false;
  }
}

const NONE: readonly Behaviour[] = [];

function kills(target: string | undefined): readonly Behaviour[] {
  return target === undefined ? NONE : [{ kind: "kills", target: shown(target) }];
}

const FORCED = /^-(?:9|KILL|SIGKILL|k)$/;

function isForced({ words, parsed }: Invocation): boolean {
  return (
    words.some((word) => FORCED.test(word)) ||
    parsed.options.some(
      ({ flag, value }) => /^(?:-s|--signal)$/.test(flag) && /^(?:9|(?:SIG)?KILL)$/.test(value),
    )
  );
}

/** `-0` asks whether there is one. A server reads its settings again at other signals, which end an interpreter. */
function endsNothing({ words }: Invocation, names: readonly string[]): boolean {
  return (
    words.some((word) => /^-(?:0|l|L|(?:SIG)?(?:WINCH|CONT)|-list|-version|V)$/.test(word)) ||
    (words.some((word) => /^-(?:1|(?:SIG)?(?:HUP|USR[12]))$/.test(word)) &&
      !names.some((name) => ENDED_BY_ANY.test(plainPattern(name))))
  );
}

/** `kill` of processes that a search has found. One the line has started is its own: `kill $!`, `kill %1`. */
export const KILLS_FOUND: Pick<ProgramRow, "acts"> = {
  acts: (invocation) => {
    const { words, walk } = invocation;
    const found = words
      .flatMap((word) => (word.includes(ITEM) ? [ITEM] : unknownParts(word)))
      .flatMap((part) => walk.substitutions.get(part)?.from ?? []);
    const names = found.flatMap(({ args }) => args);
    if (endsNothing(invocation, names)) return NONE;
    return kills(found.find((command) => listsOthers(command, isForced(invocation)))?.text);
  },
};

/** `pkill`, which finds processes by a part of their names, with `-f` of their command lines. */
export const KILLS_BY_PATTERN: Pick<ProgramRow, "acts"> = {
  acts: (invocation) => {
    const { words, parsed } = invocation;
    const { flags } = parsed;
    // `-STOP` is a signal, and no `-P` that takes the name after it as its value.
    const [before = "", last = ""] = words.slice(-2);
    const args = /^-[A-Z]{3,}\d?$/.test(before) ? [...parsed.args, last] : parsed.args;
    if (endsNothing(invocation, args)) return NONE;
    return kills(args.find((arg) => isOthers(arg, flags.includes("-f"), isForced(invocation))));
  },
};

/** `killall`, which ends every process of a name, whoever has started it. */
export const KILLS_BY_NAME: Pick<ProgramRow, "acts"> = {
  acts: (invocation) =>
    endsNothing(invocation, invocation.parsed.args)
      ? NONE
      : kills(invocation.parsed.args.find((arg) => isOthers(arg, false, true))),
};

/** `fuser -k 3000/tcp`, `kill-port 3000`. */
export const KILLS_BY_PORT: Pick<ProgramRow, "acts"> = {
  acts: ({ name, words }) =>
    name === "fuser" && !words.some((word) => /^-\w*k/.test(word))
      ? NONE
      : kills(words.find((word) => SERVER_PORTS.has(portIn(shown(word)) ?? ""))),
};
