import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { idSequence } from "../core/clock.ts";
import { isRecord } from "../core/json.ts";
import { appendLines } from "../node/files/append.ts";
import { makePrivateFolder } from "../node/files/private-folder.ts";
import { rotate } from "../node/files/rotate.ts";
import { stateFolder } from "../node/state-folder.ts";

/** What an agent, or a hook in it, has to tell the monitor. */
export interface SpoolEvent {
  /** `agent:prompt`, `agent:signal`, `agent:idle`, `agent:error`, or `agent:stop_blocked`. */
  readonly type: string;
  readonly agent_id: string;
  readonly session_id?: string;
  readonly cwd?: string;
  readonly [field: string]: unknown;
}

/** A line of the spool. */
export interface SpoolRecord extends SpoolEvent {
  readonly v: 1;
  /** Unique, so that what was taken in twice counts once. */
  readonly id: string;
  readonly time: string;
}

const NAME = "spool.jsonl";
const MOST_CHARACTERS = 60_000;
/** Where nobody takes the spool over, only this much, and as much again, is kept. */
const MOST_BYTES = 4_000_000;
const OLD_NAME = "spool.old.jsonl";

/** Where events wait for the monitor: `$XDG_STATE_HOME/tenterhook/spool`. */
export function spoolFolder(environment: NodeJS.ProcessEnv): string {
  return join(stateFolder(environment), "spool");
}

/**
 * Leaves an event for the monitor: one line, written whole, for this user alone. Who takes the spool over renames the
 * file; the next event begins a new one.
 *
 * @throws the file system's error.
 */
export function appendToSpool(event: SpoolEvent, environment: NodeJS.ProcessEnv): SpoolRecord {
  const folder = spoolFolder(environment);
  makePrivateFolder(folder);
  const now = Date.now();
  const { type, agent_id, session_id, cwd } = event;
  const whole: SpoolRecord = { v: 1, id: idSequence(now)(), time: new Date(now).toISOString(), ...event };
  const line = JSON.stringify(whole);
  const { id, time } = whole;
  const short = { v: 1, id, time, type, agent_id, session_id, cwd, shortened: true };
  const file = join(folder, NAME);
  const before = appendLines(file, [line.length > MOST_CHARACTERS ? JSON.stringify(short) : line]);
  if (before > MOST_BYTES) rotate(file, MOST_BYTES, () => join(folder, OLD_NAME));
  return whole;
}

/** How many events wait for the monitor. Never throws. */
export function countSpooled(environment: NodeJS.ProcessEnv): number {
  return spooled(environment).length;
}

/** What one agent has told so far, as far as it is still here, the oldest first. Never throws. */
export function spooledBy(agentId: string, environment: NodeJS.ProcessEnv): readonly SpoolRecord[] {
  return spooled(environment)
    .filter(({ agent_id }) => agent_id === agentId)
    .sort((one, other) => (one.time < other.time ? -1 : one.time > other.time ? 1 : 0));
}

function spooled(environment: NodeJS.ProcessEnv): readonly SpoolRecord[] {
  const folder = spoolFolder(environment);
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(".jsonl"))
      .flatMap((name) => readFileSync(join(folder, name), "utf8").split("\n"))
      .flatMap((line) => recordOf(line));
  } catch {
    return [];
  }
}

function recordOf(line: string): readonly SpoolRecord[] {
  try {
    const value: unknown = JSON.parse(line);
    return isSpoolRecord(value) ? [value] : [];
  } catch {
    return [];
  }
}

function isSpoolRecord(value: unknown): value is SpoolRecord {
  return (
    isRecord(value) &&
    value.v === 1 &&
    [value.id, value.time, value.type, value.agent_id].every((field) => typeof field === "string")
  );
}
