import { TenterhookError } from "../../../core/base/errors.ts";
import { isRecord, parseJson } from "../../../core/base/json.ts";
import type {
  ActivityItem,
  StoredMessage,
  TranscriptChanges,
  TranscriptMetadata,
} from "../../../core/contracts/transcript.ts";
import { changedMetadata } from "../metadata.ts";
import { isActivityItem, isChanges, isMetadata, isStoredMessage } from "../records.ts";

// The file of a session is a list of lines. Lines never change; later ones win.
//   {"agent":ID,"begin":{metadata},"version":1}   the agent's first line
//   {"agent":ID,"message":{…}}                    only the first message with an id counts
//   {"agent":ID,"item":{…}}                       of the activity
//   {"agent":ID,"save":{changes},"time":ISO}
//   {"agent":ID,"deleted":true}                   nothing before it counts
//   …{"torn":true}                                what was cut off by a kill, a full disk or a power cut; it does not count

const VERSION = 1;

export type SessionLine = { readonly agent: string } & (
  | { readonly kind: "begin"; readonly metadata: TranscriptMetadata }
  | { readonly kind: "message"; readonly message: StoredMessage }
  | { readonly kind: "item"; readonly item: ActivityItem }
  | { readonly kind: "save"; readonly changes: TranscriptChanges; readonly time: string }
  | { readonly kind: "deleted" }
);

export function beginLine(metadata: TranscriptMetadata): string {
  return JSON.stringify({ agent: metadata.agent_id, begin: metadata, version: VERSION });
}

/** A line with a message or an item of the activity, given as JSON. */
export function jsonLine(agent: string, kind: "message" | "item", json: string): string {
  return `{"agent":${JSON.stringify(agent)},"${kind}":${json}}`;
}

export function saveLine(agent: string, changes: TranscriptChanges, time: string): string {
  return JSON.stringify({ agent, save: changes, time });
}

export function deletedLine(agent: string): string {
  return JSON.stringify({ agent, deleted: true });
}

/** Ends a last line that was cut off. No other line ends like this, and a mark that is cut off itself needs another one. */
export const TORN = '{"torn":true}';

const HEAD = /^\{"agent":("[^"\\]*(?:\\.[^"\\]*)*"),"(begin|message|item|save|deleted)":/;

/** The agent and the kind of a line, without parsing its value; `undefined` when it has neither. */
export function headOf(text: string): { readonly agent: string; readonly kind: string } | undefined {
  const [, quoted = "", kind = ""] = HEAD.exec(text) ?? [];
  const agent = quoted.includes("\\") ? parseJson(quoted) : quoted.slice(1, -1);
  return kind === "" || typeof agent !== "string" ? undefined : { agent, kind };
}

/**
 * Parses a line; `undefined` when it can't be read.
 *
 * @throws TenterhookError `store_failed` for a line of a later version.
 */
export function readLine(text: string): SessionLine | undefined {
  const line = parseJson(text);
  if (!isRecord(line)) return undefined;
  const { agent, message, item, save, time, begin, version, deleted } = line;
  if (typeof agent !== "string") return undefined;
  if (isStoredMessage(message)) return { agent, kind: "message", message };
  if (isActivityItem(item)) return { agent, kind: "item", item };
  if (isChanges(save) && typeof time === "string") return { agent, kind: "save", changes: save, time };
  if (deleted === true) return { agent, kind: "deleted" };
  if (begin === undefined) return undefined;
  if (typeof version === "number" && version > VERSION)
    throw new TenterhookError(
      "store_failed",
      `The transcript of agent "${agent}" was written by a later version of this package.`,
      {
        hint: "Update the package.",
      },
    );
  return isMetadata(begin) ? { agent, kind: "begin", metadata: begin } : undefined;
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
