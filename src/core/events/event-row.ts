import type { Fields, Schema } from "../base/schemas.ts";
import type { Effect } from "./effects.ts";

/** What a required field must be. */
export type FieldKind = "text" | "object" | "list" | "anything";

/** What the engine knows about one event. Code reads the row instead of naming events. */
export interface EventRow {
  /** What happened, in one line; for the reference page. */
  readonly summary: string;
  /** The field that names what the event is about: what a matcher looks at first. */
  readonly about: string | null;
  /** What a hook may do. A message to the user and ending the run are always allowed. */
  readonly effects: readonly Effect[];
  /** What a rewrite replaces: fields of the event, each with the field of the decision that carries the new value. */
  readonly rewrites?: Readonly<Record<string, string>>;
  /** True when a refusal stops something from happening: such hooks fail closed, and a rewrite is rechecked. */
  readonly gate: boolean;
  /** The kinds of fields a caller must give in addition to hook_event_name, session_id and cwd. */
  readonly requires: Readonly<Record<string, FieldKind>>;
  /** Values of optional fields a caller left out. */
  readonly defaults?: Readonly<Record<string, unknown>>;
  /** Effects that count only when this field of the event is true. */
  readonly only_when?: Readonly<Partial<Record<Effect, string>>>;
  /** What a matcher's `outcome` reads: fixed for the event, or a field of it. */
  readonly outcome?: "success" | "failure" | { readonly field: string; readonly success: string };
  /** What the ceilings count it as. */
  readonly counts?: "tool_call" | "turn" | "user_prompt" | "model_response";
  /** After a rewrite here, the gates of this other event are asked about the final input too. */
  readonly rechecks_with?: string;
  /** What a refusal by a program or a model means where nothing can be denied; without it, it is shown to the user. */
  readonly refused_by?: "keep_going" | "context" | "abort";
  /** What plain text of a program is here; elsewhere it is shown to the user. */
  readonly text_is?: "context" | "answer";
  /** A hook input given here starts a turn of its own. */
  readonly starts_turns?: true;
  /** The turn is over unless a hook keeps it going. */
  readonly ends_turn?: true;
  /** Comes many times a second: records leave it out when no hook ran. */
  readonly frequent?: true;
  /** False for an event after which nothing is left to end. */
  readonly inside_run?: false;
}

const DEFAULTS = { about: null, effects: [], gate: false } as const;

/** A row with what it does not say: an event about nothing in particular, where hooks can only watch. */
export function row<const Given extends Partial<Omit<EventRow, "requires">>>(
  fields: Fields,
  given: Given,
): Omit<typeof DEFAULTS, keyof Given> & Given & Pick<EventRow, "requires"> {
  const required = Object.entries(fields).filter(([, { required = false }]) => required);
  const requires = Object.fromEntries(required.map(([name, { schema }]) => [name, FIELD_KINDS[schema.is]]));
  return { ...DEFAULTS, ...given, requires };
}

/** Callers are held to the outline of a value only: foreign agents may add words and keys of their own. */
const FIELD_KINDS: Readonly<Record<Schema["is"], FieldKind>> = {
  string: "text",
  word: "text",
  map: "object",
  object: "object",
  list: "list",
  number: "anything",
  boolean: "anything",
  either: "anything",
  anything: "anything",
};
