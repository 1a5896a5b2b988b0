import { sameJson } from "../../core/base/json.ts";
import { lastEntries, timeOf } from "./read-usage.ts";

type Entry = Readonly<Record<string, unknown>>;

/** What a record of a transcript says about the agent's turn. */
export type TurnSign =
  | { readonly turn: "works" | "ended" | "interrupted" }
  | { readonly turn: "failed"; readonly error: TurnError };

/** Why a turn failed, as far as the record tells. */
export interface TurnError {
  readonly status?: number;
  /** The agent's or the provider's name of the error. */
  readonly type?: string;
  readonly message?: string;
}

/** How an agent writes into its transcript, JSON lines, that a turn goes on or has ended. */
export interface TurnFormat {
  /** Texts of which a record has one that says something; other lines are not parsed. */
  readonly marks: readonly string[];
  /** What a record says; `undefined` when it says nothing about the turn. */
  sign(entry: Entry): TurnSign | undefined;
  /** The calls of tools in a record, and the results of calls by their ids, for agents that ask before a call. */
  calls?(entry: Entry): readonly CallRecord[];
}

/** A call of a tool, or that a call has a result. */
export type CallRecord =
  | { readonly call: unknown; readonly tool_name: unknown; readonly tool_input: unknown }
  | { readonly result: unknown; readonly outcome: CallOutcome };

/** `refused`: by the agent's user, at its terminal. `failed`: it was refused otherwise, or went wrong. */
export type CallOutcome = "ran" | "failed" | "refused";

/** The records that end a turn are short, and the last ones. */
const MOST_BYTES = 64_000;
/** A call is further away than the end of its turn. */
const MOST_BYTES_OF_CALL = 512_000;

/**
 * The last thing that a transcript says about a turn, and when it was written, in milliseconds; `undefined` when its end
 * says nothing. A large file costs no more than a small one. Never throws.
 */
export function lastSign(path: string, format: TurnFormat): (TurnSign & { readonly at: number }) | undefined {
  for (const entry of lastEntries(path, MOST_BYTES, format)) {
    const found = format.sign(entry);
    const at = timeOf(entry);
    if (found !== undefined && at !== undefined) return { ...found, at };
  }
  return undefined;
}

/** A call that its agent has asked about, and when it did, in milliseconds. */
export interface AskedCall {
  readonly tool_name: unknown;
  readonly tool_input: unknown;
  readonly since: number;
}

/**
 * How the last such call ended, as a transcript says; `undefined` while it has no result, so the question about it may be open.
 * Never throws.
 */
export function outcomeIn(
  path: string,
  format: TurnFormat,
  { tool_name, tool_input, since }: AskedCall,
): CallOutcome | undefined {
  if (format.calls === undefined) return undefined;
  const results = new Map<unknown, CallOutcome>();
  for (const entry of lastEntries(path, MOST_BYTES_OF_CALL, format)) {
    // An equal call may have run before.
    const isNew = (timeOf(entry) ?? 0) > since;
    for (const one of format.calls(entry))
      if ("result" in one) isNew && results.set(one.result, one.outcome);
      else if (one.tool_name === tool_name && sameJson(one.tool_input, tool_input))
        return results.get(one.call);
  }
  return undefined;
}
