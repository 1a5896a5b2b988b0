import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { runCli, userEnvironment } from "../support/run-cli.ts";

test("the limits of the configuration hold for our agent", async () => {
  const folder = temporaryFolder();
  const cwd = join(folder, "project");
  mkdirSync(join(cwd, ".git"), { recursive: true });
  mkdirSync(join(folder, "config", "tenterhook"), { recursive: true });
  writeFileSync(
    join(folder, "config", "tenterhook", "hooks.yaml"),
    `hooks:
  limits: { stop_continuations: 2 }
  definitions:
    - name: again
      type: command
      command: [sh, -c, "echo again $$ >&2; exit 2"]
      matcher: { events: [Stop] }
`,
  );
  writeFileSync(join(cwd, "script.yaml"), "- text: done\n");
  const environment = userEnvironment(folder);
  const run = await runCli(cwd, environment, "run", "x", "--model", "scripted:script.yaml", "--json");
  const items: readonly { readonly type: string; readonly text?: string }[] = run.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(items.filter(({ type }) => type === "notice").map(({ text }) => text)).toEqual([
    "A limit stopped the hooks (limits.stop_continuations): Stop hooks have kept this turn going 2 times; the limit is 2.",
  ]);
  const reason = "Stop hooks have kept this turn going 2 times; the limit is 2.";
  expect(items.at(-1)).toMatchObject({
    type: "done",
    result: { stop_reason: "capped", reason, iterations: 3 },
  });
  expect(run.code).toBe(3);
});
