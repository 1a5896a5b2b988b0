import { beforeAll, describe, expect, it } from "vitest";
import { analyseShell, loadShellParser } from "../../../src/rules/shell/analyse.ts";
import { HOSTILE_LINES } from "./hostile-lines.ts";

beforeAll(loadShellParser);

/** Milliseconds of CPU time for one analysis; less than 20 count as 20, which is noise. */
function cpuOf(line: string): number {
  const before = process.cpuUsage();
  analyseShell(line);
  const { user, system } = process.cpuUsage(before);
  return Math.max(20, (user + system) / 1_000);
}

/**
 * How much more CPU time a line of four times the length takes: 4 when the time is linear, 16 when it is quadratic. Each
 * length is asked about once, because an analysis is remembered.
 */
function growth(line: (length: number) => string, attempt: number): number {
  const length = 15_000 - 500 * attempt;
  return cpuOf(line(4 * length)) / cpuOf(line(length));
}

describe("the time an analysis takes", () => {
  it.each(Object.entries(HOSTILE_LINES))(
    "grows with the length of the line only: %s",
    (_name, line) => {
      expect(analyseShell(line(60_000)).commands.length).toBeLessThanOrEqual(512);
      let best = Number.POSITIVE_INFINITY;
      for (let attempt = 1; attempt <= 5 && best > 7; attempt += 1)
        best = Math.min(best, growth(line, attempt));
      expect(best).toBeLessThanOrEqual(7);
    },
    120_000,
  );
});
