import type { CallRow } from "../../journal/activity/calls.ts";

/** What belongs to one call of a tool: the decision before it, a permission, its result. */
export interface CallGroup {
  readonly key: number;
  /** What the row shows: the strongest of them. */
  readonly main: CallRow;
  /** All of them, the oldest first. */
  readonly rows: readonly CallRow[];
  /** What came of it later, such as what a person has answered. */
  readonly came?: string;
}

const STRENGTH: Readonly<Record<CallRow["verdict"], number>> = {
  continue: 0,
  changed: 1,
  failed: 2,
  ask: 3,
  deny: 4,
};

/** Rows, the newest first, as groups. Results that nobody said anything about belong to their call. */
export function groupsOf(rows: readonly CallRow[]): readonly CallGroup[] {
  const groups: { key: number; rows: CallRow[] }[] = [];
  const known = new Map<string, { key: number; rows: CallRow[] }>();
  for (const row of rows) {
    const name = row.tool_use === undefined ? undefined : `${row.session} ${row.tool_use}`;
    const group = name === undefined ? undefined : known.get(name);
    if (group !== undefined) {
      group.rows.push(row);
      continue;
    }
    const next = { key: row.seq, rows: [row] };
    groups.push(next);
    if (name !== undefined) known.set(name, next);
  }
  return groups.flatMap(({ key, rows: all }) => {
    const ordered = all.reverse();
    const [first] = ordered;
    if (first === undefined) return [];
    const main = ordered.reduce((one, other) =>
      STRENGTH[other.verdict] > STRENGTH[one.verdict] ? other : one,
    );
    const came = ordered
      .slice(ordered.indexOf(main) + 1)
      .findLast(({ reason }) => reason !== undefined)?.reason;
    return [{ key, main, rows: ordered, ...(came === undefined || came === main.reason ? {} : { came }) }];
  });
}
