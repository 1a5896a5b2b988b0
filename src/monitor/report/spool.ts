import { randomInt } from "node:crypto";
import { join } from "node:path";
import { isRecord, parseJson } from "../../core/base/json.ts";
import { capText } from "../../core/base/text.ts";
import { appendLines } from "../../node/files/append.ts";
import { makePrivateFolder } from "../../node/files/folders.ts";
import { endOfFile } from "../../node/files/regular-file.ts";
import { createRedactor } from "../../node/records/redact.ts";
import { stateFolder } from "../../node/user-folders.ts";
import {
  type EventType,
  eventOf,
  type MonitorEvent,
  readEvent,
  type SaidFields,
} from "../../shared/monitor/events.ts";
import { rotateSpool, SPOOL_FILE, spoolFiles } from "./spool-files.ts";

/** An event of an agent, or of a hook in it, for the monitor. */
export interface SpoolEvent extends SaidFields {
  readonly type: EventType;
  /** Default: a new one. An event that is written twice with one id counts once. */
  readonly id?: string;
  readonly agent_id: string;
}

const MOST_CHARACTERS = 60_000;
/** More than any file of the spool has. */
const MOST_BYTES = 8_000_000;

/** Where events wait for the monitor: `$XDG_STATE_HOME/tenterhook/spool`. */
export function spoolFolder(environment: NodeJS.ProcessEnv): string {
  return join(stateFolder(environment), "spool");
}

const ID_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789";
const ID_LENGTH = 12;

/** The id of an event, and of the decision that it opens: people type its beginning, so it begins with no time. */
export function newEventId(): string {
  return Array.from({ length: ID_LENGTH }, () => ID_LETTERS[randomInt(ID_LETTERS.length)]).join("");
}

/**
 * Leaves an event for the monitor: one line, written whole, without secrets, for this user alone; long strings are cut.
 *
 * @returns what was written.
 * @throws the file system's error.
 */
export function appendToSpool(event: SpoolEvent, environment: NodeJS.ProcessEnv): MonitorEvent {
  const folder = spoolFolder(environment);
  makePrivateFolder(folder);
  const now = Date.now();
  const { type, id = newEventId(), agent_id, ...fields } = event;
  const clean = createRedactor(environment).value(fields);
  const head = { v: 1, id, time: new Date(now).toISOString(), type, agent_id } as const;
  const record = fitting(eventOf(head, isRecord(clean) ? clean : {}));
  rotateSpool(folder, appendLines(join(folder, SPOOL_FILE), [JSON.stringify(record)]));
  return record;
}

/** A record that fits into a line: long fields are cut, short ones stay. */
function fitting(record: MonitorEvent): MonitorEvent {
  const fits = (one: MonitorEvent): boolean => JSON.stringify(one).length <= MOST_CHARACTERS;
  if (fits(record)) return record;
  const { v, id, time, type, agent_id, ...fields } = record;
  const head = { v, id, time, type, agent_id };
  for (const most of CUTS) {
    const short = Object.entries(fields).map(([key, value]) => [key, cutTo(value, most)]);
    const cut = eventOf(head, { ...Object.fromEntries(short), shortened: true });
    if (fits(cut)) return cut;
  }
  return eventOf(head, { shortened: true });
}

/** From much to little: the first that makes the line short enough wins. */
const CUTS = [20_000, 4000, 200];

function cutTo(value: unknown, most: number): unknown {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text === undefined || text.length <= most ? value : capText(text, most);
}

/** How many events wait for the monitor. Never throws. */
export function countSpooled(environment: NodeJS.ProcessEnv): number {
  return spooled(environment).length;
}

/** The events that are still in the spool, the oldest first. Never throws. */
export function allSpooled(environment: NodeJS.ProcessEnv): readonly MonitorEvent[] {
  return spooled(environment).toSorted((one, other) =>
    one.time < other.time ? -1 : one.time > other.time ? 1 : 0,
  );
}

/** The same of one agent. */
export function spooledBy(agentId: string, environment: NodeJS.ProcessEnv): readonly MonitorEvent[] {
  return allSpooled(environment).filter(({ agent_id }) => agent_id === agentId);
}

function spooled(environment: NodeJS.ProcessEnv): readonly MonitorEvent[] {
  const folder = spoolFolder(environment);
  return spoolFiles(folder)
    .flatMap((name) => endOfFile(join(folder, name), MOST_BYTES).split("\n"))
    .flatMap((line) => eventIn(line));
}

/** The event of a line; none when the line is damaged. */
export function eventIn(line: string): readonly MonitorEvent[] {
  const event = readEvent(parseJson(line));
  return event === undefined ? [] : [event];
}

export interface EventSource {
  readonly agent: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly environment: NodeJS.ProcessEnv;
}

/**
 * Leaves an event about an agent for the monitor, with the session and the folder of the payload. Returns what was written;
 * `undefined` when writing failed, which must not stop the agent.
 */
export function notifyMonitor(
  event: Omit<SpoolEvent, "agent_id">,
  { agent, payload, environment }: EventSource,
): MonitorEvent | undefined {
  const { session_id, cwd } = payload;
  try {
    return appendToSpool({ ...event, agent_id: agent, session_id, cwd }, environment);
  } catch {
    return undefined;
  }
}
