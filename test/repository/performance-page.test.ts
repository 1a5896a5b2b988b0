import { describe, expect, it } from "vitest";
import { withMeasured } from "../../bench/page.mjs";

const RESULT = {
  name: "npm test",
  against: "node -e 0",
  bound: 2.2,
  ours: 90,
  theirs: 45,
  unit: "ms",
  ratio: 2,
  holds: true,
} as const;

describe("docs/contributing/performance.md, written by npm run bench -- --write", () => {
  const names = ["hook", "rules"];
  const first = withMeasured(
    "",
    [
      { name: "hook", results: [RESULT] },
      { name: "rules", results: [{ ...RESULT, name: "10,000 rules", ratio: 3, holds: false }] },
    ],
    { names, where: "2026-01-01, 2 cores, Node 20.0.0" },
  );

  it("shows each row with its ratio and its bound, and where it was measured", () => {
    expect(first).toContain(`## hook

2026-01-01, 2 cores, Node 20.0.0

| what | against | ratio | bound |
| --- | --- | --- | --- |
| npm test | node -e 0 | 2.00 | at most 2.2 |
`);
    expect(first).toContain("| 10,000 rules | node -e 0 | 3.00 | at most 2.2, **over** |");
  });

  it("keeps the rows of files that were not measured this time", () => {
    const next = withMeasured(first, [{ name: "hook", results: [{ ...RESULT, ratio: 1.5 }] }], {
      names,
      where: "2026-02-02, 8 cores, Node 24.0.0",
    });
    expect(next).toBe(
      first
        .replace("2026-01-01, 2 cores, Node 20.0.0", "2026-02-02, 8 cores, Node 24.0.0")
        .replace("| 2.00 |", "| 1.50 |"),
    );
  });

  it("forgets files that are gone", () => {
    expect(withMeasured(first, [], { names: ["rules"], where: "" })).not.toContain("## hook");
  });
});
