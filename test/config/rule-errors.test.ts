import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { checkFile } from "../../src/config/parse/check-file.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const GOOD = { field: "command", operator: "contains", value: "x", action: "deny" };

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
  const head = ["hooks:", "  definitions:", "    - name: a", "      type: inline"];
  writeFileSync(
    file,
    [...head, "      matcher: { events: [PreToolUse] }", "      inline_rules:", ...lines, ""].join("\n"),
  );
  const { problems } = await checkFile(file, folder);
  expect(problems.map(({ line }) => line).sort((one = 0, other = 0) => one - other)).toEqual([
    7, 9, 10, 11, 12,
  ]);
});
