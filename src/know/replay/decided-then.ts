import type { RecordedAction } from "../../adapters/codec/recorded-session.ts";
import { readJournal } from "../../journal/read-journal.ts";
import { recordedId } from "../../journal/record.ts";
import { toldBy } from "./own-sessions.ts";
import type { TellsOf } from "./read-session.ts";

/** What was decided about something that a transcript tells, which says nothing of it itself. */
export type DecidedThen = (told: TellsOf) => RecordedAction | undefined;

const MOST_REMEMBERED = 100_000;

/** Reads from the journal what was refused or asked. Everything else went on. Equal texts are told in the order of their records. */
export async function decidedThen(options: {
  readonly environment: NodeJS.ProcessEnv;
  readonly since: Date | undefined;
  readonly signal: AbortSignal | undefined;
}): Promise<DecidedThen> {
  const { environment, since, signal } = options;
  const decided = new Map<string, RecordedAction[]>();
  for await (const record of readJournal({
    environment,
    since,
    signal,
  }))
    for (const { recorded, ...told } of toldBy(record)) {
      const key = keyOf(record.session_id, told);
      if (recorded === undefined || key === undefined) continue;
      const before = decided.get(key);
      if (before !== undefined) before.push(recorded);
      else if (recorded.action !== "continue" || !("tool_use_id" in told)) decided.set(key, [recorded]);
      const [oldest] = decided.keys();
      if (decided.size > MOST_REMEMBERED && oldest !== undefined) decided.delete(oldest);
    }
  return (told) => {
    const records = decided.get(keyOf(told.session_id, told) ?? "") ?? [];
    const then = records.length > 1 ? records.shift() : records[0];
    return then?.action === "continue" ? undefined : then;
  };
}

type Known = { readonly [Key in "tool_use_id" | "prompt" | "answer"]?: unknown };

/** A call by its id, a prompt or an answer by its text; `undefined` for a call without an id. */
function keyOf(session: string, { tool_use_id: id, prompt, answer }: Known): string | undefined {
  const [kind, text] = Object.entries({ id, prompt, answer }).find(([, value]) => value !== undefined) ?? [];
  return typeof text === "string" ? JSON.stringify([recordedId(session), kind, text]) : undefined;
}
