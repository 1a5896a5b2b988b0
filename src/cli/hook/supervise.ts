import type { NativeReply } from "../../adapters/adapter.ts";
import type { EventConfig } from "../../config/cache/event-config.ts";
import { isRecord } from "../../core/base/json.ts";
import { startProgram } from "../../node/process/start-program.ts";
import { SUPERVISED_FLAG } from "./startup/flags.ts";

/** How long a process may take to start. */
const START_MILLISECONDS = 15_000;
/** What a hook has more than its timeout: the engine ends a hook that waits, and this one only what never waits. */
const GRACE_MILLISECONDS = 1000;
const DEFAULT_TIMEOUT = 30;
const MOST_BYTES = 20_000_000;

/**
 * How long the code of an event's hooks may keep the process from doing anything else; `undefined` when the event has no
 * hook whose code runs in our process.
 */
export function longestBlock({ hooks, timeout = DEFAULT_TIMEOUT }: EventConfig): number | undefined {
  const own = hooks.flatMap(({ hook: { definition, untrusted }, rules }) =>
    rules === undefined && untrusted === undefined && definition.async !== true && runsModule(definition)
      ? [definition.timeout ?? timeout]
      : [],
  );
  return own.length === 0 ? undefined : Math.max(...own) * 1000 + GRACE_MILLISECONDS;
}

/** True for a module and for a composition with one; at times for another hook, which does no harm. */
function runsModule(definition: object): boolean {
  return JSON.stringify(definition).includes('"module":');
}

/**
 * Decides an event in a second process, because the code of its hooks could block the first, end it or kill it: an agent
 * lets a call pass when its hook was killed. Without a whole reply the event is refused, and nothing is left running.
 */
export async function supervise(
  text: string,
  environment: NodeJS.ProcessEnv,
  longest: number,
  refuse: (reason: string) => NativeReply,
): Promise<NativeReply> {
  const [, script = ""] = process.argv;
  const args = [script, "hook", SUPERVISED_FLAG];
  const { child, terminate, release } = await startProgram(
    { file: process.execPath, args, cwd: process.cwd(), environment },
    "pipe",
  );
  const said: Buffer[] = [];
  let size = 0;
  const ended = await new Promise<string | undefined>((resolve) => {
    let timer = setTimeout(resolve, START_MILLISECONDS + longest, blocked(longest));
    child.stdout?.on("data", (chunk: Buffer) => {
      clearTimeout(timer);
      timer = setTimeout(resolve, longest, blocked(longest));
      size += chunk.length;
      if (size > MOST_BYTES) resolve("wrote too much");
      else said.push(chunk);
    });
    child.stderr?.on("data", (chunk: Buffer) => process.stderr.write(chunk));
    child.stdin?.on("error", () => undefined);
    child.once("close", (code, signal) => {
      clearTimeout(timer);
      resolve(signal === null && code === 0 ? undefined : `was ended by ${signal ?? `exit code ${code}`}`);
    });
    child.stdin?.end(text);
  });
  if (ended === undefined) release();
  else await terminate();
  const reply = ended === undefined ? replyIn(Buffer.concat(said).toString()) : undefined;
  return reply ?? refuse(`The process with the code of a hook ${ended ?? "ended before it had decided"}.`);
}

function blocked(longest: number): string {
  return `did nothing else for more than ${(longest - GRACE_MILLISECONDS) / 1000} s`;
}

/** The one line that is not empty. */
function replyIn(said: string): NativeReply | undefined {
  const lines = said.split("\n").filter((line) => line !== "");
  try {
    const value: unknown = lines.length === 1 ? JSON.parse(lines[0] ?? "") : undefined;
    if (!isRecord(value)) return undefined;
    const { stdout, stderr, exit_code } = value;
    if (typeof stdout !== "string" || typeof stderr !== "string" || typeof exit_code !== "number")
      return undefined;
    return { stdout, stderr, exit_code, losses: [] };
  } catch {
    return undefined;
  }
}

/** How often a supervised process shows that it is not blocked. */
const SIGN_MILLISECONDS = 200;

/** Shows the supervisor that this process is not blocked. Ends the process when there is no supervisor any more. */
export function showLife(write: (text: string) => void): void {
  const sign = (): void => {
    try {
      write("\n");
    } catch {
      process.exit(1);
    }
  };
  sign();
  setInterval(sign, SIGN_MILLISECONDS).unref();
}
