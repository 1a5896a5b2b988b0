import {
  closeSync,
  fstatSync,
  futimesSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import type { DecodedEvent } from "../../adapters/adapter.ts";
import type { EventConfig } from "../../config/cache/kept.ts";
import { isRecord } from "../../core/base/json.ts";
import type { Decision } from "../../core/decide/decision.ts";
import { canonicalToolName } from "../../core/match/tool-names.ts";
import { builtin } from "../../node/builtin.ts";
import { makePrivateFolder } from "../../node/files/make-folders.ts";
import { openOwnFile } from "../../node/files/own-file.ts";
import { systemCode } from "../../node/system-code.ts";
import { cacheFolder } from "../../node/user-folders.ts";

/*
 * An agent in whose settings we stand twice, or that reads another agent's settings too, calls us twice for one event.
 * The first call claims the event by a file that holds its process and, in a second line, what was decided; the second
 * call waits for that line.
 */

/** A repetition this long after the answer is the same call. */
const SAME_MILLISECONDS = 2000;
const PAUSE_MILLISECONDS = 10;
/** How often a process that decides says that it still does, and after what silence nobody believes it. */
const SIGN_MILLISECONDS = 1000;
const SILENT_MILLISECONDS = 15_000;
/** Longer than any agent waits for us. */
const MOST_MILLISECONDS = 60 * 60 * 1000;
/** A longer answer is not kept: the second call decides by itself. */
const MOST_CHARACTERS = 1_000_000;

/** The event is this process's to decide. Its functions never throw. */
export interface Claim {
  /** Tells whoever waits, and for two seconds whoever comes; `once` tells only those who wait. */
  answered(decision: Decision, once: boolean): void;
  /** Leaves the event to others: nothing was decided. */
  released(): void;
}

/** Who decides: this process, or another one that has decided. */
export type Claimed = { readonly claim: Claim } | { readonly decision: Decision };

/**
 * Claims an event, or answers what another process decided about the same one. When no claim can be written the event is
 * decided without. Never rejects.
 */
export async function claimEvent(
  event: DecodedEvent,
  config: EventConfig,
  environment: NodeJS.ProcessEnv,
): Promise<Claimed> {
  try {
    const folder = join(cacheFolder(environment), "claims");
    makePrivateFolder(folder);
    removeOld(folder);
    const file = join(folder, await nameOf(event, config));
    const latest = Date.now() + MOST_MILLISECONDS;
    while (Date.now() < latest) {
      const claim = tryClaim(file);
      if (claim !== undefined) return { claim };
      const decision = await decidedElsewhere(file, latest);
      if (decision !== undefined) return { decision };
      rmSync(file, { force: true });
    }
  } catch {
    // Deciding twice is better than not at all.
  }
  return { claim: { answered: () => undefined, released: () => undefined } };
}

function tryClaim(file: string): Claim | undefined {
  const open = openNew(file);
  if (open === undefined) return undefined;
  writeSync(open, `${JSON.stringify({ pid: process.pid })}\n`);
  const signs = setInterval(() => sign(open), SIGN_MILLISECONDS).unref();
  const end = (line: string, remove: boolean): void => {
    clearInterval(signs);
    try {
      if (line.length <= MOST_CHARACTERS) writeSync(open, line);
      closeSync(open);
      if (remove || line.length > MOST_CHARACTERS) rmSync(file, { force: true });
    } catch {
      // Whoever waits will find that nobody is at it any more.
    }
  };
  return {
    answered: (decision, once) =>
      end(`${JSON.stringify({ time: Date.now(), decision: { ...decision, runs: [] } })}\n`, once),
    released: () => end("", true),
  };
}

/** The time of the file is the sign: ids of processes are given again, and one alone tells little. */
function sign(open: number): void {
  try {
    const now = new Date();
    futimesSync(open, now, now);
  } catch {
    // Then a second call decides by itself.
  }
}

function openNew(file: string): number | undefined {
  try {
    return openSync(file, "wx", 0o600);
  } catch (error) {
    if (systemCode(error) === "EEXIST") return undefined;
    throw error;
  }
}

/** What the process that claimed the event decides; `undefined` when it is gone, or decided too long ago. */
async function decidedElsewhere(file: string, latest: number): Promise<Decision | undefined> {
  // It stays open: the file may be removed while we wait for its second line.
  const open = openOwnFile(file)?.descriptor;
  if (open === undefined) return undefined;
  try {
    for (;;) {
      const state = stateOf(readWhole(open), fstatSync(open).mtimeMs);
      if (state !== "open") return state === "over" ? undefined : state;
      if (Date.now() > latest) return undefined;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MILLISECONDS));
    }
  } finally {
    closeSync(open);
  }
}

function readWhole(open: number): string {
  const bytes = Buffer.alloc(fstatSync(open).size);
  return bytes.toString("utf8", 0, readSync(open, bytes, 0, bytes.length, 0));
}

/** What was decided a moment ago; `open` while it is being decided; `over` for anything that does not count. */
function stateOf(text: string, written: number): Decision | "open" | "over" {
  const [head = "", said, end] = text.split("\n");
  // A process that was ended before it could write its own number.
  if (said === undefined) return isRecent(written) ? "open" : "over";
  if (end === undefined)
    return isRunning(parsed(head).pid) && isRecent(written, SILENT_MILLISECONDS) ? "open" : "over";
  const { time, decision } = parsed(said);
  return typeof time === "number" && isRecent(time) && isDecision(decision) ? decision : "over";
}

function isRecent(time: number, milliseconds = SAME_MILLISECONDS): boolean {
  return Math.abs(Date.now() - time) <= milliseconds;
}

function isRunning(pid: unknown): boolean {
  try {
    return typeof pid === "number" && process.kill(pid, 0);
  } catch {
    return false;
  }
}

function isDecision(value: unknown): value is Decision {
  return (
    isRecord(value) &&
    ["continue", "allow", "ask", "deny"].some((action) => action === value.action) &&
    [value.context, value.user_messages, value.hook_inputs, value.runs].every(Array.isArray)
  );
}

function parsed(line: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

/** What was decided long ago says something about calls nobody asks for any more. */
function removeOld(folder: string): void {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    const written = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
    if (written === undefined || isRecent(written)) continue;
    if (stateOf(readFileSync(file, "utf8"), written) === "over") rmSync(file, { force: true });
  }
}

/**
 * Names what is to be decided: the call by its id and what it is about, since ids alone may be given twice; anything else by
 * its payload. What it is decided by belongs to it, so that no answer outlives a change of the configuration.
 */
async function nameOf(event: DecodedEvent, config: EventConfig): Promise<string> {
  const { hook_event_name, session_id, agent_id, tool_use_id, tool_name, tool_input, tool_response, error } =
    event;
  const tool = typeof tool_name === "string" ? canonicalToolName(tool_name) : undefined;
  const about =
    typeof tool_use_id === "string"
      ? [agent_id, tool_use_id, tool, tool_input, tool_response, error]
      : [event.native];
  const { hooks, sites: _, ...rest } = config;
  const known = await Promise.all(hooks.map(async ({ hook, rules }) => [hook, await rules?.lines()]));
  const whole = JSON.stringify([hook_event_name, session_id, about, known, rest]);
  return builtin.crypto.createHash("sha256").update(whole).digest("hex");
}
