import { TenterhookError } from "../../../core/base/errors.ts";
import { isRecord, parseJson } from "../../../core/base/json.ts";
import type {
  ActivityItem,
  StoredMessage,
  TranscriptChanges,
  TranscriptMetadata,
} from "../../../core/contracts/transcript.ts";
import { changedMetadata, isActivityItem, isChanges, isMetadata, isStoredMessage } from "../records.ts";

// The file of a session is a list of lines. Lines never change; later ones win.
//   {"agent":ID,"n":N,"begin":{metadata},"version":1}   the agent's first line
//   {"agent":ID,"n":N,"message":{…}}                    only the first message with an id counts
//   {"agent":ID,"n":N,"item":{…}}                       of the activity
//   {"agent":ID,"n":N,"save":{changes},"time":ISO}
//   {"agent":ID,"n":N,"deleted":true}                   nothing before it counts
//   …{"torn":true}                                      what was cut off by a kill, a full disk or a power cut; it does not count
// N counts the lines of an agent from 1, so that a missing one is noticed. Two processes may use the same number; lines of
// earlier versions have none, and count one each.

const VERSION = 1;

export type SessionLine = { readonly agent: string; readonly n?: number } & (
  | { readonly kind: "begin"; readonly metadata: TranscriptMetadata }
  | { readonly kind: "message"; readonly message: StoredMessage }
  | { readonly kind: "item"; readonly item: ActivityItem }
  | { readonly kind: "save"; readonly changes: TranscriptChanges; readonly time: string }
  | { readonly kind: "deleted" }
);

export function beginLine(metadata: TranscriptMetadata, n: number): string {
  return JSON.stringify({ agent: metadata.agent_id, n, begin: metadata, version: VERSION });
}

/** A line with a message or an item of the activity, given as JSON. */
export function jsonLine(agent: string, n: number, kind: "message" | "item", json: string): string {
  return `{"agent":${JSON.stringify(agent)},"n":${n},"${kind}":${json}}`;
}

export function saveLine(agent: string, n: number, changes: TranscriptChanges, time: string): string {
  return JSON.stringify({ agent, n, save: changes, time });
}

export function deletedLine(agent: string, n: number): string {
  return JSON.stringify({ agent, n, deleted: true });
}

/** The number of an agent's line after one with this number. */
export function numberAfter(last: number, n: number | undefined): number {
  return n === undefined ? last + 1 : Math.max(last, n);
}

/** Ends a last line that was cut off. No other line ends like this, and a mark that is cut off itself needs another one. */
export const TORN = '{"torn":true}';

const HEAD = /^\{"agent":("[^"\\]*(?:\\.[^"\\]*)*"),(?:"n":(\d+),)?"(begin|message|item|save|deleted)":/;

interface LineHead {
  readonly agent: string;
  readonly n?: number;
  readonly kind: string;
  readonly length: number;
}

/** The agent, the number and the kind of a line, without parsing its value; `undefined` when it has no agent or kind. */
export function headOf(text: string): LineHead | undefined {
  const [{ length } = "", quoted = "", n, kind = ""] = HEAD.exec(text) ?? [];
  const agent = quoted.includes("\\") ? parseJson(quoted) : quoted.slice(1, -1);
  if (kind === "" || typeof agent !== "string") return undefined;
  return { agent, ...(n === undefined ? {} : { n: Number(n) }), kind, length };
}

/**
 * Parses a line; `undefined` when it can't be read.
 *
 * @throws TenterhookError `store_failed` for a line of a later version.
 */
export function readLine(text: string): SessionLine | undefined {
  const line = parseJson(text);
  if (!isRecord(line)) return undefined;
  const { agent, n, message, item, save, time, begin, version, deleted } = line;
  if (typeof agent !== "string") return undefined;
  const own = typeof n === "number" ? { agent, n } : { agent };
  if (isStoredMessage(message)) return { ...own, kind: "message", message };
  if (isActivityItem(item)) return { ...own, kind: "item", item };
  if (isChanges(save) && typeof time === "string") return { ...own, kind: "save", changes: save, time };
  if (deleted === true) return { ...own, kind: "deleted" };
  if (begin === undefined) return undefined;
  if (typeof version === "number" && version > VERSION)
    throw new TenterhookError(
      "store_failed",
      `The transcript of agent "${agent}" was written by a later version of this package.`,
      {
        hint: "Update the package.",
      },
    );
  return isMetadata(begin) ? { ...own, kind: "begin", metadata: begin } : undefined;
}

export type SessionAgents = Map<string, TranscriptMetadata>;

/** Applies a line to the agents. Applying the same lines twice, in order, changes nothing. */
export function applyLine(agents: SessionAgents, line: SessionLine): void {
  const before = agents.get(line.agent);
  if (line.kind === "deleted") agents.delete(line.agent);
  if (line.kind === "begin" && before === undefined) agents.set(line.agent, line.metadata);
  if (line.kind === "save" && before !== undefined)
    agents.set(line.agent, changedMetadata(before, line.changes, line.time));
}
