import type { TranscriptMetadata } from "../../core/contracts/transcript.ts";
import { foldedTitle } from "./listing.ts";

/**
 * An id or a path as a column holds it: itself, or JSON if it has characters the database would not return unchanged (zeros,
 * lone surrogates). No two strings have the same key.
 */
export function keyOf(text: string): string {
  return /^[ !#-~][ -~]*$/.test(text) ? text : JSON.stringify(text);
}

export function optionalKey(text: string | undefined): string | null {
  return text === undefined ? null : keyOf(text);
}

/** What a database knows of an agent: id, session, parent, status, folder, title, times of creation and change, and all of it. */
export function agentColumns(metadata: TranscriptMetadata): readonly (string | null)[] {
  const { agent_id, session_id, parent_agent_id, status, cwd, title = "", created_at, updated_at } = metadata;
  return [
    keyOf(agent_id),
    keyOf(session_id),
    optionalKey(parent_agent_id),
    status,
    optionalKey(cwd),
    foldedTitle(title),
    created_at,
    updated_at,
    JSON.stringify(metadata),
  ];
}
