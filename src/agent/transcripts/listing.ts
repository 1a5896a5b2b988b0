import { invalidOption, TenterhookError } from "../../core/base/errors.ts";
import { parseJson } from "../../core/base/json.ts";
import type { ListTranscriptsOptions, TranscriptMetadata } from "../../core/contracts/transcript.ts";
import type { ListPosition, ListQuery } from "./backend.ts";

const DEFAULT_LIMIT = 50;
const MOST = 1000;

/**
 * The query of a backend for a page: one more than the page holds, which shows whether another page follows.
 *
 * @throws TenterhookError `invalid_option` for an invalid limit, time or cursor.
 */
export function listQuery(options: ListTranscriptsOptions): ListQuery {
  const { cursor, limit = DEFAULT_LIMIT, status, ...filters } = options;
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST)
    throw invalidOption(`The limit of a list must be a whole number from 1 to ${MOST}.`);
  if (filters.since !== undefined && Number.isNaN(filters.since.getTime()))
    throw invalidOption("The `since` of a list is not a valid date.");
  return {
    ...filters,
    limit: limit + 1,
    ...(status === undefined ? {} : { statuses: typeof status === "string" ? [status] : status }),
    ...(cursor === undefined ? {} : { after: readCursor(cursor) }),
  };
}

export function writeCursor({ created_at, agent_id }: ListPosition): string {
  return Buffer.from(JSON.stringify([created_at, agent_id])).toString("base64url");
}

function readCursor(cursor: string): ListPosition {
  const value = parseJson(Buffer.from(cursor, "base64url").toString());
  const [created_at, agent_id]: readonly unknown[] = Array.isArray(value) ? value : [];
  if (typeof created_at === "string" && typeof agent_id === "string") return { created_at, agent_id };
  throw new TenterhookError("invalid_option", `The cursor "${cursor}" did not come from a list.`, {
    hint: "Pass the cursor of the previous page unchanged.",
  });
}

function byPosition(a: ListPosition, b: ListPosition): number {
  if (a.created_at !== b.created_at) return a.created_at < b.created_at ? 1 : -1;
  return a.agent_id < b.agent_id ? 1 : a.agent_id > b.agent_id ? -1 : 0;
}

/** A title, or words to find in titles, in the form in which they are compared. Every database can store it. */
export function foldedTitle(title: string): string {
  return title.toLowerCase().replaceAll(/[\0\p{Surrogate}]/gu, "\ufffd");
}

/** The list for a backend without a query language. */
export function listed(
  agents: Iterable<TranscriptMetadata>,
  { session_id, statuses, parent_agent_id, root, cwd, title, since, after, limit }: ListQuery,
): readonly TranscriptMetadata[] {
  const from = since?.toISOString() ?? "";
  const text = title === undefined ? "" : foldedTitle(title);
  const fits = (agent: TranscriptMetadata): boolean =>
    (session_id === undefined || agent.session_id === session_id) &&
    (statuses === undefined || statuses.includes(agent.status)) &&
    (parent_agent_id === undefined || agent.parent_agent_id === parent_agent_id) &&
    (root !== true || agent.parent_agent_id === undefined) &&
    (cwd === undefined || agent.cwd === cwd) &&
    (text === "" || foldedTitle(agent.title ?? "").includes(text)) &&
    agent.updated_at >= from &&
    (after === undefined || byPosition(after, agent) < 0);
  return [...agents].filter(fits).sort(byPosition).slice(0, limit);
}
