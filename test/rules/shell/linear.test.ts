import { beforeAll, describe, expect, it } from "vitest";
import { analyseShell, loadShellParser } from "../../../src/rules/shell/analyse.ts";
import { HOSTILE_LINES } from "./hostile-lines.ts";

beforeAll(loadShellParser);

describe("the time an analysis takes", () => {
  // Linear reading takes some milliseconds for such a line; a quadratic one takes more than the timeout.
  it.each(Object.entries(HOSTILE_LINES))(
    "grows with the length of the line only: %s",
    (_name, line) => {
      expect(analyseShell(line(60_000)).commands.length).toBeLessThanOrEqual(512);
    },
    2_000,
  );
});
