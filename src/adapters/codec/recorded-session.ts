import { isRecord, parseJson } from "../../core/base/json.ts";

/** An entry of a file in which an agent records its session. */
export type Entry = Readonly<Record<string, unknown>>;

/** The places in which agents look for their own files. */
export interface UserPlaces {
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** What is known of a session after the entries read so far. A reader changes it. */
export interface SessionSoFar {
  readonly file: string;
  session_id?: string | undefined;
  cwd?: string | undefined;
  agent_id?: string | undefined;
  /** The agent, where a file has those of several. */
  host?: string | undefined;
  /** Whatever else the reader of the agent has to remember. */
  note?: unknown;
}

/** What came of it at the time, where the record says so. */
export interface RecordedAction {
  readonly action: string;
  readonly reason?: string;
}

/** What an entry tells: a call of a tool, a prompt of the user, or the answer that ends a turn. */
export type Told = { readonly at?: unknown; readonly recorded?: RecordedAction } & (
  | { readonly tool_name: unknown; readonly tool_input: unknown; readonly tool_use_id?: unknown }
  | { readonly prompt: string }
  | { readonly answer: string }
);

/** How an agent records its sessions: JSON lines, or rows of a database. One row for each agent that `replay` reads. */
export interface RecordedSessions {
  folders(places: UserPlaces): readonly string[];
  /** The end of the path of such a file. */
  readonly file: RegExp;
  /** Texts of which a line has one that tells something; other lines are not parsed. */
  readonly marks?: readonly string[];
  /** True for an entry that no other agent writes: files that people name are known by it. */
  isIts(entry: Entry): boolean;
  /** What an entry tells; `undefined` is the end of the file. */
  read(entry: Entry | undefined, session: SessionSoFar): readonly Told[];
  /** The entries of a database, in place of lines. */
  readonly rows?: { readonly sql: string };
  /** The agent's names of the events: of a call, a prompt and an answer. Default: Claude Code's. */
  readonly events?: { readonly call: string; readonly prompt: string; readonly answer: string };
  /** Fields that its payloads have besides; `answer` is the name of the field with the answer. */
  readonly payload?: { readonly answer?: string; readonly plugin?: string };
}

export function textIn(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The texts of a list of parts, or a text itself. */
export function textOfParts(content: unknown): string {
  if (typeof content === "string") return content;
  return partsOf(content)
    .flatMap(({ text }) => (typeof text === "string" ? [text] : []))
    .join("\n");
}

export function partsOf(content: unknown): readonly Entry[] {
  return Array.isArray(content) ? content.filter(isRecord) : [];
}

/** The value of a text that is JSON; another value as it is. */
export function parsedText(value: unknown): unknown {
  return typeof value === "string" ? (parseJson(value) ?? value) : value;
}
