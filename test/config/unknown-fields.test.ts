import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHooks } from "tenterhook";
import { expect, it } from "vitest";
import { checkFile } from "../../src/config/check-file.ts";
import { applyConfig } from "../../src/config/combine/apply.ts";
import { loadConfigCached } from "../../src/config/open.ts";
import { bashCall } from "../support/events.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { project } from "./support/project.ts";

const USER = "user/tenterhook/hooks.yaml";

const rulesFile = (rules: string, events = "PreToolUse"): string => `hooks:
  definitions:
    - name: docker
      type: inline
      matcher: { events: [${events}] }
      rules: |
        ${rules}
`;

/** The problems of a file, each with its line. */
async function problemsIn(text: string): Promise<readonly string[]> {
  const folder = temporaryFolder();
  const file = join(folder, "hooks.yaml");
  writeFileSync(file, text);
  const { problems } = await checkFile(file, folder);
  return problems.map(({ line, message }) => `${line} ${message}`);
}

it("a rule for a misspelt field opens no gate: its file is not used", async () => {
  const files = project({ [USER]: rulesFile('comand runs "docker" -> deny("x")') });
  const hooks = createHooks();
  await applyConfig(hooks, await loadConfigCached(files.options));
  const { action, reason } = await hooks.fire(bashCall("docker ps"));
  expect([action, reason]).toEqual([
    "deny",
    expect.stringContaining('PreToolUse has no field "comand". Did you mean "command"?'),
  ]);
});

it("a misspelt field is an error at its rule, in a condition and a when", async () => {
  expect([
    await problemsIn(rulesFile('comand contains "a" -> deny("x")')),
    await problemsIn(rulesFile('usage.cost_us > 1 -> deny("x")')),
    await problemsIn(
      rulesFile('command contains "a" -> deny("x")').replace(
        "events: [PreToolUse]",
        'events: [PreToolUse], when: comand contains "b"',
      ),
    ),
  ]).toEqual([
    ['7 Hook "docker": PreToolUse has no field "comand". Did you mean "command"?'],
    ['7 Hook "docker": usage has no field "cost_us". Did you mean "usage.cost_usd"?'],
    ['5 Hook "docker": PreToolUse has no field "comand". Did you mean "command"?'],
  ]);
});

it("a misspelt field in the text of a rule leaves the rule in force", async () => {
  expect(await problemsIn(rulesFile('command contains "a" -> deny("Not {{sesion_id}}.")'))).toEqual([]);
});

it("a field that is like none, and any field of an event of one's own, may be an agent's", async () => {
  expect([
    await problemsIn(rulesFile('ticket equals "a" -> deny("x")')),
    await problemsIn(rulesFile('comand contains "a" -> context("x")', '"custom:deploy"')),
  ]).toEqual([[], []]);
});
