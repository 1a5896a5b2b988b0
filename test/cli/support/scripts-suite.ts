import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parseScript, runScript, updatedScript } from "../script-runner.ts";

/** What every script of a folder holds. */
export function scriptsSuite(folder: URL): void {
  const scripts = readdirSync(folder).filter((name) => name.endsWith(".txt"));

  test.each(scripts)("%s says what it should", async (name) => {
    const file = new URL(name, folder);
    const steps = parseScript(readFileSync(file, "utf8"));
    const results = await runScript(steps);
    if (process.env.UPDATE_SCRIPTS === "1") writeFileSync(file, updatedScript(steps, results));
    else
      expect(
        results.map(({ actual }) => actual),
        `If this is what it should print now: UPDATE_SCRIPTS=1 npx vitest run test/cli/scripts`,
      ).toEqual(results.map(({ expected }) => expected));
  });
}
