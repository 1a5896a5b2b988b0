import { join } from "node:path";
import { TenterhookError } from "../../core/errors.ts";
import type { Transcript, TranscriptStore } from "../../core/transcript.ts";
import { stateFolder } from "../../node/state-folder.ts";
import { jsonlStore } from "../../stores.ts";

/** Where the sessions of the command line are kept. */
export function sessionStore(environment: NodeJS.ProcessEnv): TranscriptStore {
  return jsonlStore({ dir: join(stateFolder(environment), "transcripts"), environment });
}

/**
 * The session or agent whose id is this one or begins so.
 *
 * @throws TenterhookError `unknown_session`; `ambiguous_name` with all that begin so.
 */
export async function findSession(store: TranscriptStore, wanted: string): Promise<Transcript> {
  const exact = await store.load(wanted);
  if (exact !== undefined) return exact;
  const ids: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await store.list({ limit: 1000, ...(cursor === undefined ? {} : { cursor }) });
    for (const { agent_id } of page.transcripts) if (agent_id.startsWith(wanted)) ids.push(agent_id);
    cursor = page.cursor;
    if (cursor === undefined) break;
  }
  const [only, ...others] = ids;
  if (others.length > 0)
    throw new TenterhookError(
      "ambiguous_name",
      `Several sessions begin with ${JSON.stringify(wanted)}: ${ids.join(", ")}.`,
    );
  const found = only === undefined ? undefined : await store.load(only);
  if (found !== undefined) return found;
  throw new TenterhookError("unknown_session", `No session begins with ${JSON.stringify(wanted)}.`, {
    hint: "tenterhook sessions --all shows every session.",
  });
}
