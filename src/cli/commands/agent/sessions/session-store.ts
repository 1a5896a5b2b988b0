import { join } from "node:path";
import { TenterhookError } from "../../../../core/base/errors.ts";
import type {
  ReadTranscriptOptions,
  Transcript,
  TranscriptStore,
} from "../../../../core/contracts/transcript.ts";
import { stateFolder } from "../../../../node/user-folders.ts";
import { jsonlStore } from "../../../../stores.ts";
import { flagOption, type Invocation } from "../../../command-line/command.ts";
import { matchingSession } from "../../../command-line/find-by-name.ts";
import { usageError } from "../../../command-line/usage-error.ts";

export function sessionStore(environment: NodeJS.ProcessEnv): TranscriptStore {
  return jsonlStore({ dir: join(stateFolder(environment), "transcripts"), environment });
}

/**
 * Finds a session or agent by its id or the beginning of it.
 *
 * @throws TenterhookError `usage_error` without an id; `unknown_session`; `ambiguous_name` with all matches;
 * `store_damaged` without `onDamage`.
 */
export async function findSession(
  store: TranscriptStore,
  wanted: string,
  read: ReadTranscriptOptions & { readonly signal: AbortSignal },
): Promise<Transcript> {
  const hint = "tenterhook sessions --everywhere shows every session.";
  if (wanted === "") throw usageError("The id is empty.", hint);
  const exact = await store.load(wanted, read);
  if (exact !== undefined) return exact;
  const ids: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await store.list({
      limit: 1000,
      signal: read.signal,
      ...(cursor === undefined ? {} : { cursor }),
    });
    ids.push(...page.transcripts.map(({ agent_id }) => agent_id));
    cursor = page.cursor;
    if (cursor === undefined) break;
  }
  const match = matchingSession(wanted, ids);
  const found = match === undefined ? undefined : await store.load(match, read);
  if (found !== undefined) return found;
  throw new TenterhookError("unknown_session", `No session begins with ${JSON.stringify(wanted)}.`, {
    hint,
  });
}

/** Reads a whole session; with `--despite-damage`, what can be read of it. `lost` are the places that could not be read. */
export function sessionReading(invocation: Invocation) {
  const { signal } = invocation;
  const lost: string[] = [];
  const read: ReadTranscriptOptions & { readonly signal: AbortSignal } = { signal };
  if (!flagOption(invocation, "despiteDamage")) return { read, lost };
  const onDamage: ReadTranscriptOptions["onDamage"] = ({ place }) => {
    // Places are worded for the middle of a sentence.
    const text = place.replace(/,$/, "");
    if (!lost.includes(text)) lost.push(text);
  };
  return { read: { ...read, onDamage }, lost };
}

export function lostText(place: string): string {
  return `${place} can't be read and is left out.`;
}
