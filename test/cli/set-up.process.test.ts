import { dirname, join, relative } from "node:path";
import { expect, it } from "vitest";
import { rememberProofs } from "../../src/install/proofs.ts";
import { machineWith } from "../install/support.ts";

it("install says in a line each what guards, what its user has to do, and the next step", async () => {
  const project = machineWith({ claude: "2.1.327", codex: "0.169.0", gemini: "0.61.0" });
  await project.run(["init", "--yes"]);
  const install = async (...more: readonly string[]) => {
    const { stdout } = await project.run(["install", "claude", "codex", "gemini", ...more]);
    return stdout.trimEnd().split("\n");
  };
  expect(await install()).toEqual([
    "  ✓ Claude Code  guarded in this project: all 14 hooks, never proven",
    "  ! Codex        it does not trust this project: tenterhook install codex --user",
    "  ! Gemini CLI   it starts no hook here until you start it once and trust the folder",
    "  -v shows what else is worth knowing",
    "",
    "  Next: tenterhook prove claude codex gemini   3 agents, about a minute",
  ]);
  expect((await install("-v")).join("\n")).toContain(
    ".claude/settings.json is up to date: it calls Tenterhook",
  );
  project.write(
    relative(project.cwd, join(project.environment.HOME ?? "", ".gemini/trustedFolders.json")),
    JSON.stringify({ [dirname(project.cwd)]: "TRUST_FOLDER" }),
  );
  const lines = await install("--user");
  expect(lines.map((line) => line.replace(/ \(.*/, ""))).toEqual(
    expect.arrayContaining([
      "  ✓ Claude Code  guarded in every project: all 14 hooks, never proven",
      "  ✓ Gemini CLI   guarded in every project: all 14 hooks, never proven",
    ]),
  );
});

it("says to trust the folder, too, where an agent that waits for that did not obey", async () => {
  const project = machineWith({ gemini: "0.61.0" });
  await project.run(["init", "--yes"]);
  await rememberProofs(project.environment, {
    gemini: { time: new Date().toISOString(), obeys: false, version: "0.61.0" },
  });
  const { stdout } = await project.run(["install", "gemini"]);
  expect(stdout.split("\n")[0]).toBe(
    "  ! Gemini CLI  it starts no hook here until you start it once and trust the folder",
  );
});
