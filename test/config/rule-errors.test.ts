import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { checkFile } from "../../src/config/check-file.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const GOOD = { field: "command", operator: "contains", value: "x", action: "deny" };

const HEAD = ["hooks:", "  definitions:", "    - name: a", "      type: inline"];

/** The lines of the problems of a hook for this event, whose rules begin in line 7. */
async function linesOfProblems(event: string, ...rules: readonly string[]) {
  const folder = temporaryFolder();
  const file = join(folder, "hooks.yaml");
  const text = [
    `      matcher: { events: [${event}] }`,
    "      rules: |",
    ...rules.map((rule) => `        ${rule}`),
  ];
  writeFileSync(file, [...HEAD, ...text, ""].join("\n"));
  const { problems } = await checkFile(file, folder);
  return problems.map(({ line }) => line).sort((one = 0, other = 0) => one - other);
}

it.each(["PreToolUze", "Bananas"])("a wrong event hides no fault of the rules (%s)", async (event) => {
  const wrong = [
    'command frobs "x" -> deny("a")',
    'tool_name equals "Bash" -> deni("c")',
    'command matches "(" -> ask("d")',
  ];
  expect(await linesOfProblems(event, ...wrong)).toEqual([5, 7, 8, 9]);
  expect(await linesOfProblems(event, 'command contains "x" -> deny("a")')).toEqual([5]);
});

it("a rule that can't be read hides no unknown field of the next", async () => {
  const wrong = ['command contains "x -> deny("a")', 'tol_name equals "Bash" -> deny("c")'];
  expect(await linesOfProblems("PreToolUse", ...wrong)).toEqual([7, 8]);
});

it("every rule of a list that can't work is reported, each with its own line", async () => {
  const folder = temporaryFolder();
  const items = [
    { ...GOOD, operator: "containz" },
    GOOD,
    { ...GOOD, operator: "matches", value: "(" },
    'command contains "x" -> dney("No.")',
    { ...GOOD, action: "refuse" },
    { ...GOOD, operator: "matches", value: "[" },
  ];
  const file = join(folder, "hooks.yaml");
  const lines = items.map((item) => `        - ${JSON.stringify(item)}`);
  writeFileSync(
    file,
    [...HEAD, "      matcher: { events: [PreToolUse] }", "      inline_rules:", ...lines, ""].join("\n"),
  );
  const { problems } = await checkFile(file, folder);
  expect(problems.map(({ line }) => line).sort((one = 0, other = 0) => one - other)).toEqual([
    7, 9, 10, 11, 12,
  ]);
});
