import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { systemPrompt } from "../../../src/cli/commands/agent/run/open-agent.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

test("memory files are part of the prompt, up to a length, and a pipe of their name is not waited for", async () => {
  const folder = temporaryFolder();
  execFileSync("sh", ["-c", 'mkfifo "$0"', join(folder, "AGENTS.md")]);
  writeFileSync(join(folder, "CLAUDE.md"), `Speak of cats. ${"é".repeat(40_000)}`);
  const prompt = await systemPrompt(folder, ["AGENTS.md", "CLAUDE.md", "missing.md"]);
  const [, memory = ""] = prompt.split("# CLAUDE.md\n\n");
  expect([memory.startsWith("Speak of cats. éé"), memory.length, memory.at(-1)]).toEqual([true, 30_000, "…"]);
  expect(prompt).not.toContain("# AGENTS.md");
});
