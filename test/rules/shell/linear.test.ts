import { beforeAll, describe, expect, it } from "vitest";
import { analyseShell, loadShellParser } from "../../../src/rules/shell/analyse.ts";
import { size } from "../../support/long.ts";
import { HOSTILE_LINES } from "./hostile-lines.ts";

beforeAll(loadShellParser);

describe("the time an analysis takes", () => {
  // Reading such a line takes a fraction of a second; the quadratic readings that were here once took many seconds.
  it.each(Object.entries(HOSTILE_LINES))(
    "grows with the length of the line only: %s",
    (_name, line) => {
      expect(analyseShell(line(size(10_000, 60_000))).commands.length).toBeLessThanOrEqual(512);
    },
    30_000,
  );
});
