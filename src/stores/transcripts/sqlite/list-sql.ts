import type { ListQuery } from "../backend.ts";
import { foldedTitle } from "../listing.ts";
import { keyOf } from "./rows.ts";

interface Sql {
  readonly text: string;
  readonly values: readonly (string | number)[];
}

export function listSql(query: ListQuery): Sql {
  const { session_id, statuses, parent_agent_id, root, cwd, title, since, after, limit } = query;
  const conditions: [text: string, values: readonly (string | number)[]][] = [["TRUE", []]];
  if (session_id !== undefined) conditions.push(["session = ?", [keyOf(session_id)]]);
  if (statuses !== undefined)
    conditions.push(["status IN (SELECT value FROM json_each(?))", [JSON.stringify(statuses)]]);
  if (parent_agent_id !== undefined) conditions.push(["parent = ?", [keyOf(parent_agent_id)]]);
  if (root === true) conditions.push(["parent IS NULL", []]);
  if (cwd !== undefined) conditions.push(["cwd = ?", [keyOf(cwd)]]);
  if (title !== undefined) conditions.push(["instr(title, ?) > 0", [foldedTitle(title)]]);
  if (since !== undefined) conditions.push(["updated >= ?", [since.toISOString()]]);
  if (after !== undefined)
    conditions.push(["(created, agent) < (?, ?)", [after.created_at, keyOf(after.agent_id)]]);
  const where = conditions.map(([text]) => text).join(" AND ");
  return {
    text: `SELECT metadata FROM agents WHERE ${where} ORDER BY created DESC, agent DESC LIMIT ?`,
    values: [...conditions.flatMap(([, values]) => values), limit],
  };
}
