import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const DIST = new URL("../../dist/", import.meta.url);

/** What a built file requires when it is loaded, and not only later, when it comes to that. */
function requiredAtLoad(name: string): readonly string[] {
  const text = readFileSync(new URL(name, DIST), "utf8");
  return [...text.matchAll(/=require\("([^"]+)"\)/g)].map(([, id = ""]) => id).sort();
}

it("loads no file of the hot path for another one that does not need all of it, and no more of Node", () => {
  const files = readdirSync(DIST).filter((name) => /^hook.*\.cjs$/.test(name));
  expect(Object.fromEntries(files.map((name) => [name, requiredAtLoad(name)]))).toEqual({
    "hook.cjs": ["node:fs", "node:path"],
    "hook-rules.cjs": ["./hook.cjs"],
    "hook-shell.cjs": ["./hook-rules.cjs"],
    "hook-engine.cjs": ["./hook-rules.cjs", "./hook.cjs"],
    "hook-regex.cjs": [],
    "hook-conditions.cjs": ["./hook-engine.cjs", "./hook-rules.cjs", "./hook.cjs"],
    "hook-beside.cjs": [
      "./hook-engine.cjs",
      "./hook.cjs",
      "node:child_process",
      "node:fs",
      "node:os",
      "node:path",
    ],
    "hook-claim.cjs": ["./hook.cjs", "node:fs", "node:path"],
    "hook-prompt.cjs": ["./hook.cjs", "node:fs", "node:path", "node:timers/promises"],
  });
});
