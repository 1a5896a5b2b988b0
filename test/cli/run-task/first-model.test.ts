import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { runCli, userEnvironment } from "../support/run-cli.ts";

test("run with a model that a rule refuses ends before any request, with the reason", async () => {
  const folder = temporaryFolder();
  const cwd = join(folder, "project");
  mkdirSync(join(cwd, ".git"), { recursive: true });
  mkdirSync(join(folder, "config", "tenterhook"), { recursive: true });
  writeFileSync(
    join(folder, "config", "tenterhook", "hooks.yaml"),
    `hooks:
  definitions:
    - name: expensive-model-blocker
      type: inline
      matcher: { events: [ModelSwitch] }
      rules: new_model contains "opus" -> deny("Expensive model blocked in CI")
`,
  );
  for (const name of ["opus", "haiku"]) writeFileSync(join(cwd, `${name}.yaml`), `- text: I am ${name}.\n`);
  const environment = userEnvironment(folder);
  const runWith = (name: string, ...more: string[]) =>
    runCli(cwd, environment, "run", "go", "--model", `scripted:${name}.yaml`, ...more);

  const refused = await runWith("opus");
  expect(refused.code).toBe(1);
  expect(refused.stdout).toContain(
    "Hook(ModelSwitch) expensive-model-blocker\n  denied: Expensive model blocked in CI\n",
  );
  expect(refused.stdout).toMatch(/^denied {2}/m);
  expect(refused.stdout).not.toContain("I am opus.");

  const { code, stdout } = await runWith("opus", "--json");
  const items = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(code).toBe(1);
  expect(items.at(-1)).toMatchObject({
    type: "done",
    result: { stop_reason: "denied", reason: "Expensive model blocked in CI", iterations: 0 },
  });

  expect(await runWith("haiku")).toMatchObject({ stdout: expect.stringContaining("I am haiku.") });
});
