import { readFileSync } from "node:fs";
import type { z } from "zod";

/**
 * The entries of a file in test/fixtures that has one on each line, as JSON.
 *
 * @throws ZodError when one of them is not what `entry` says.
 */
export function fixtureLines<T>(file: string, entry: z.ZodType<T>): readonly T[] {
  const text = readFileSync(new URL(`../fixtures/${file}`, import.meta.url), "utf8");
  return entry.array().parse(
    text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line)),
  );
}
