import { expect, it } from "vitest";
import { carriedArgs } from "../../src/adapters/carried-args.ts";
import { integrationOf } from "../../src/adapters/integrations.ts";

async function resumed(agent: string, ...args: readonly string[]): Promise<readonly string[] | undefined> {
  const { resume, carried } = await integrationOf(agent);
  return resume?.("s1", carried === undefined ? [] : carriedArgs(args, carried));
}

it("a session of Claude Code is continued with its model, its permissions and its settings", async () => {
  const given = ["--settings", "/state/agents/w1/watch.json", "--model=opus", "--permission-mode", "plan"];
  const more = ["--settings", "mine.json", "--dangerously-skip-permissions", "--verbose", "Paint it."];
  expect(await resumed("claude", ...given, ...more)).toEqual([
    ...["-p", "--resume", "s1", "--model=opus", "--permission-mode", "plan"],
    ...["--settings", "mine.json", "--dangerously-skip-permissions"],
  ]);
});

it("a session of Codex is continued with its options, and without the hooks of the earlier run", async () => {
  const given = ["-c", "hooks.Stop=[]", "-c", 'model_provider="test"', "-m", "gpt-5.5", "-a", "never"];
  expect(await resumed("codex", ...given, "--", "-m", "no option")).toEqual([
    ...["exec", "-c", 'model_provider="test"', "-m", "gpt-5.5", "resume", "s1", "-"],
  ]);
});

it("what was redacted, and an option without its value, are left out", async () => {
  expect(await resumed("gemini", "--model", "[redacted]", "--yolo", "--approval-mode")).toEqual([
    ...["--resume", "s1", "--yolo"],
  ]);
});
