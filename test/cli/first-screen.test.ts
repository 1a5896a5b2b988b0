import { expect, it } from "vitest";
import { machineWith } from "../install/support.ts";

it("the first screen without an agent says what Tenterhook works with, and offers its own", async () => {
  const project = machineWith({});
  const said = (await project.run([])).stdout.replaceAll(/\s+/g, " ");
  expect(said).toContain(
    "No agent found. Tenterhook works with Claude Code, Codex, Gemini CLI and 8 more; install one, or use its own: tenterhook run",
  );
  expect(said).toContain("Nothing guards this project yet.");
});

it("the first screen says that hooks are ready, and not in force, while no agent calls them", async () => {
  const project = machineWith({ claude: "2.1.326" });
  await project.configure([
    {
      name: "guard",
      type: "inline",
      matcher: { events: ["PreToolUse"] },
      rules: 'tool equals "X" -> deny("No.")',
    },
  ]);
  const said = async () => (await project.run([])).stdout.replaceAll(/\s+/g, " ");
  expect(await said()).toContain(
    "○ 1 hook ready no agent calls them yet ✗ Claude Code not installed tenterhook install claude",
  );
  await project.run(["install", "claude"]);
  expect(await said()).toContain(
    "● 1 hook in force 1 of the project · Claude Code 1 hook, never proven tenterhook prove claude",
  );
});
