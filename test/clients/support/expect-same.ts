import { expect } from "vitest";
import { seenBy } from "./seen-sessions.ts";
import type { Row, Seen, Way } from "./shapes.ts";

/** Has both ways show what comes of each row, and expects the same, or what the row says. */
export async function expectSame(
  event: string,
  rows: readonly Row[],
  see: (way: Way, event: string, rows: readonly Row[]) => Promise<readonly Seen[]> = seenBy,
): Promise<void> {
  const native = await see("native", event, rows);
  const imported = await see("imported", event, rows);
  const named = (seen: readonly unknown[]) =>
    Object.fromEntries(rows.map(({ what }, at) => [what, seen[at]]));
  const expected = rows.map((row, at) => ({ ...native[at], ...row.imported }));
  expect(named(imported)).toEqual(named(expected));
  // A row that says it differs, and does not, is out of date.
  const differing = rows.filter((_, at) => JSON.stringify(native[at]) !== JSON.stringify(imported[at]));
  expect(differing.map(({ what }) => what)).toEqual(
    rows.filter(({ differs }) => differs !== undefined).map(({ what }) => what),
  );
}
