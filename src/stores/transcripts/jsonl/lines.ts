import { TenterhookError } from "../../../core/base/errors.ts";
import { isRecord } from "../../../core/base/json.ts";
import type {
  RolloutItem,
  StoredMessage,
  TranscriptChanges,
  TranscriptMetadata,
} from "../../../core/contracts/transcript.ts";
import { fromJson, isRolloutItem, isStoredMessage } from "../encode.ts";
import { isChanges, isMetadata } from "../metadata.ts";

// The file of a session is a list of lines, each of one kind. They are never changed; later ones win.
//   {"agent":ID,"begin":{metadata},"version":1}   the agent's first line
//   {"agent":ID,"message":{…}}                    by id: a second one of the same id does not count
//   {"agent":ID,"item":{…}}                       of the rollout
//   {"agent":ID,"save":{changes},"time":ISO}
//   {"agent":ID,"deleted":true}                   nothing before counts
//   {"torn":OFFSET}                               the line before was cut off, if it ends at this byte; one further up too, if
//                                                 it can't be read

const VERSION = 1;

/** A line of the file of a session. */
export type SessionLine = { readonly agent: string } & (
  | { readonly kind: "begin"; readonly metadata: TranscriptMetadata }
  | { readonly kind: "message"; readonly message: StoredMessage }
  | { readonly kind: "item"; readonly item: RolloutItem }
  | { readonly kind: "save"; readonly changes: TranscriptChanges; readonly time: string }
  | { readonly kind: "deleted" }
);

/** The line an agent begins with. */
export function beginLine(metadata: TranscriptMetadata): string {
  return JSON.stringify({ agent: metadata.agent_id, begin: metadata, version: VERSION });
}

/** A line with a message or an item of the rollout, which are given as JSON. */
export function jsonLine(agent: string, kind: "message" | "item", json: string): string {
  if (agent !== lastAgent) {
    lastAgent = agent;
    lastQuoted = JSON.stringify(agent);
  }
  return `{"agent":${lastQuoted},"${kind}":${json}}`;
}

// Mostly one agent writes many lines in a row.
let lastAgent = "";
let lastQuoted = '""';

/** A line that changes what is known of an agent. */
export function saveLine(agent: string, changes: TranscriptChanges, time: string): string {
  return JSON.stringify({ agent, save: changes, time });
}

/** A line that takes back everything of an agent before it. */
export function deletedLine(agent: string): string {
  return JSON.stringify({ agent, deleted: true });
}

/** A line that says that the one before was cut off at this byte. */
export function tornLine(end: number): string {
  return JSON.stringify({ torn: end });
}

/** Where the line before was cut off, when this line says so. */
export function tornEnd(text: string): number | undefined {
  return text.startsWith('{"torn":') ? Number(/^\{"torn":(\d+)\}$/.exec(text)?.[1]) : undefined;
}

const HEAD = /^\{"agent":("[^"\\]*(?:\\.[^"\\]*)*"),"(begin|message|item|save|deleted)":/;

/** Whose line it is and of which kind, without reading what it holds; `undefined` when it is none of ours. */
export function headOf(text: string): { readonly agent: string; readonly kind: string } | undefined {
  const [, quoted = "", kind = ""] = HEAD.exec(text) ?? [];
  const agent = quoted.includes("\\") ? fromJson(quoted) : quoted.slice(1, -1);
  return kind === "" || typeof agent !== "string" ? undefined : { agent, kind };
}

/**
 * What a line says; `undefined` when it can't be read.
 *
 * @throws TenterhookError `store_failed` for a line of a later version.
 */
export function readLine(text: string): SessionLine | undefined {
  const line = fromJson(text);
  if (!isRecord(line)) return undefined;
  const { agent, message, item, save, time, begin, version, deleted } = line;
  if (typeof agent !== "string") return undefined;
  if (isStoredMessage(message)) return { agent, kind: "message", message };
  if (isRolloutItem(item)) return { agent, kind: "item", item };
  if (isChanges(save) && typeof time === "string") return { agent, kind: "save", changes: save, time };
  if (deleted === true) return { agent, kind: "deleted" };
  if (begin === undefined) return undefined;
  if (typeof version === "number" && version > VERSION)
    throw new TenterhookError("store_failed", `The transcript of agent "${agent}" is of a later version.`, {
      hint: "Use the version of the package that wrote it, or a later one.",
    });
  return isMetadata(begin) ? { agent, kind: "begin", metadata: begin } : undefined;
}
