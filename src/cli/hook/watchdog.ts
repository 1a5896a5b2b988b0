import { spawn } from "node:child_process";
import type { EventConfig } from "../../config/cache/event-config.ts";
import { markerVariable, newMarker, OUR_MARKER } from "../../node/process/marker.ts";

const DEFAULT_TIMEOUT = 30;
/** How often our process shows that it is not blocked. Most events are decided before the first time. */
const SIGN_MILLISECONDS = 1000;
/** What a hook has more than its timeout: the engine ends a hook that waits, and the watchdog only what never waits. */
const GRACE_SECONDS = 2;

/**
 * Kills our process when it has shown no sign for `$1` seconds. When our process was killed, also by others, says so and
 * ends what it started. Ends with our process in any case, with its own `sleep`.
 */
const WATCHDOG = `exec 3>&2 2>/dev/null; trap 'exit 0' TERM
while (sleep "$1" && kill -KILL "$2") & read -r sign; do [ "$sign" = end ] && kill -TERM 0; kill $!; done
printf '%s\\n' "$4" >&3
for file in $(grep -lsF "$3" /proc/[0-9]*/environ); do file=\${file%/*}; kill -KILL "\${file#/proc/}"; done
kill -TERM 0`;

/**
 * Watches our process while the code of hooks runs in it. That code can block the process forever: the agent would
 * wait, and some agents then let the call pass. A killed process is a refusal, because `install` sets every gate to fail closed. Where there is no `/bin/sh`,
 * nothing watches.
 *
 * @returns a function that ends it.
 */
export function startWatchdog({ seconds, text }: Watch): () => void {
  if (process.platform === "win32") return () => undefined;
  // What the code starts is found by this.
  const [variable, marker] = markerVariable(newMarker());
  process.env[variable] = marker;
  const { PATH } = process.env;
  const child = spawn(
    "/bin/sh",
    ["-c", WATCHDOG, "tenterhook-watchdog", `${seconds}`, `${process.pid}`, OUR_MARKER, text],
    { cwd: "/", env: { PATH }, detached: true, stdio: ["pipe", "ignore", "inherit"] },
  );
  child.on("error", () => undefined).unref();
  child.stdin.on("error", () => undefined);
  const signs = setInterval(() => child.stdin.write("\n"), SIGN_MILLISECONDS).unref();
  const end = (): void => {
    clearInterval(signs);
    process.off("exit", end);
    child.stdin.write("end\n");
  };
  process.on("exit", end);
  return end;
}

/** How long a process that decides an event may be blocked, and the message about one that was killed. */
export interface Watch {
  readonly seconds: number;
  readonly text: string;
}

/** Hooks have no more time than their timeouts. */
export function watchOf({ hooks, timeout = DEFAULT_TIMEOUT }: EventConfig, event: string): Watch {
  const longest = Math.max(...hooks.map(({ hook }) => hook.definition.timeout ?? timeout));
  const names = hooks.map(({ hook }) => hook.definition.name).join(", ");
  return {
    seconds: Math.ceil(longest) + GRACE_SECONDS,
    text: `The process that decided ${event} was killed. Code of a hook may have blocked or killed it: ${names}.`,
  };
}
