import { randomUUID } from "node:crypto";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { mustBeBuilt } from "../repository/support/files.ts";
import { eventually, processesWith } from "../support/processes.ts";
import { shareCompiledCode } from "../support/shared-code.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { withoutDuration } from "./script-runner.ts";
import { startCli, userEnvironment } from "./support/run-cli.ts";

beforeAll(mustBeBuilt);

/** A user with nothing, whose temporary folder can be looked through. */
function user() {
  const folder = temporaryFolder();
  const temporary = join(folder, "tmp");
  for (const path of [temporary, join(folder, "home")]) mkdirSync(path);
  shareCompiledCode(join(folder, "cache"));
  const mark = randomUUID();
  const env = userEnvironment(folder, { TMPDIR: temporary, DEMO_MARK: mark });
  return { folder, temporary, mark, env };
}

/** What a newcomer has to see, in this order. */
const STORY = [
  "Task: Write sum.mjs so that its test passes.",
  "✗ Bash  rm -rf ~",
  "  denied by safe-shell-files: This deletes from the root, a system folder or a home. Name the one folder of the project that should go. (rule delete-system)",
  "↻ Write  sum.mjs  by license-header  +2 −0",
  "  + // SPDX-License-Identifier: MIT",
  "context from remind-of-tests: A module changed: its test has not been run since.",
  "✗ Bash  ./deploy.sh production  by next-free-target",
  "  was: ./deploy.sh staging",
  "  denied by protect-production, asked again about the rewritten call: Only the release team deploys to production.",
  "● AskUserQuestion  What may be summed?",
  "  answered by answer-for-the-team: Numbers only",
  "✗ Read  NOTES.md",
  "  NOTES.md does not exist.",
  "⚑ Hook(Error) log-errors",
  "  │ written to errors.log",
  "● Task  review sum.mjs",
  "    ● Read  sum.mjs",
  "    ✗ Bash  cd / && rm -rf home",
  "      denied by safe-shell-files: This deletes from the root, a system folder or a home. Name the one folder of the project that should go. (rule delete-system)",
  "  It looks fine to me. Tidying up was refused, so I left everything as it was.",
  "All done: sum.mjs is written.",
  "until-tests-pass keeps it going: The test fails: sum(2, 2) is 0, not 4. Mend sum.mjs.",
  "● Edit  sum.mjs  +1 −1",
  "context from remind-of-tests: A module changed: its test has not been run since.",
  "● Bash  node sum.test.mjs",
  "  passed: sum(2, 2) is 4",
  "Now the test passes.",
  '$ tenterhook run "Publish version 1.0.0." --model scripted:release.json',
  "⚑ Hook(TurnStart) ./.agent/turn-start.sh",
  "  │ looking at the workspace: the test passes, nothing is published",
  "HookInput: The registry is slow: publish once.",
  "I publish it.",
  "✗ Bash  node publish.mjs 1.0.0",
  "  published 1.0.0, waiting for the registry",
  "SIGKILL: process NUMBER is gone.",
  "$ tenterhook sessions resume NUMBER --model scripted:release.json",
  "✗ Bash  node publish.mjs 1.0.0",
  "  The outcome of this call is unknown: the agent was stopped before the result was stored. It may have run, in part or whole. Find out what it has done before you repeat it.",
  "Did it go through? I look before I try again.",
  "● Read  published.log",
  "1.0.0 is published, exactly once.",
  "~/years-of-work.txt is still there.",
  "published.log has one line.",
  "The scratch folder was removed.",
];

test("the demo tells its whole story, and leaves nothing behind", async () => {
  const { folder, temporary, mark, env } = user();
  const { code, stdout, stderr } = await startCli(folder, env, ["demo"]);
  expect([code, stderr]).toEqual([0, ""]);
  const lines = stdout
    .replace(/(?<=SIGKILL: process )\d+/, "NUMBER")
    .replace(/(?<=resume )[0-9a-f]{8}/, "NUMBER")
    .split("\n")
    .map(withoutDuration);
  expect(lines.filter((line) => STORY.includes(line))).toEqual(STORY);
  for (const next of [" ", "explain", "run"]) expect(stdout).toContain(`  npx tenterhook ${next}`);
  expect(readdirSync(temporary)).toEqual([]);
  // What every command caches: its code.
  expect(readdirSync(folder).sort()).toEqual(["cache", "home", "tmp"]);
  expect(readdirSync(join(folder, "home"))).toEqual([]);
  await eventually(() => expect(processesWith(mark)).toEqual([]));
});
