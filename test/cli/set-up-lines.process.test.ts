import { dirname, join, relative } from "node:path";
import { expect, it } from "vitest";
import { integrationOf } from "../../src/adapters/integrations.ts";
import { processScreen } from "../../src/cli/command-line/screen/screen.ts";
import { setUpLines } from "../../src/cli/commands/start/set-up-lines.ts";
import { guardOf } from "../../src/cli/configured-hooks/guard.ts";
import { projectPlaces } from "../../src/cli/integrations/chosen-settings.ts";
import { machineWith } from "../install/support.ts";

it("the set-up says in a line each what guards, and what its user has to do", async () => {
  const project = machineWith({ claude: "2.1.327", codex: "0.169.0", gemini: "0.61.0" });
  await project.run(["init", "--yes"]);
  await project.run(["install", "claude", "codex", "gemini"]);
  const { signal } = new AbortController();
  const { judgement } = await guardOf({ ...project, signal });
  const found = await Promise.all(["claude", "codex", "gemini"].map(integrationOf));
  const problems = ["Kilo can't."];
  const packs = ["safe-shell"];
  const places = await projectPlaces(project);
  const screen = { ...processScreen({ NO_COLOR: "1" }), width: 100 };
  const linesFor = (isUser: boolean) =>
    setUpLines({ packs, brought: 2, found, judgement, places, isUser, problems }, { ...project, screen });
  const lines = linesFor(false);
  expect(lines).toEqual([
    "  ✓ hooks.yaml   safe-shell",
    "  ✓ your hooks   2 hooks of your agents' settings run through Tenterhook now",
    "  ✓ Claude Code  guarded in this project: all 14 hooks, never proven",
    "  ! Codex        it does not trust this project: tenterhook install codex --user",
    "  ! Gemini CLI   start it here once and trust the folder",
    "  Kilo can't.",
  ]);
  project.write(
    relative(project.cwd, join(places.home, ".gemini/trustedFolders.json")),
    JSON.stringify({ [dirname(project.cwd)]: "TRUST_FOLDER" }),
  );
  expect(linesFor(true).slice(2, 5)).toEqual([
    "  ✓ Claude Code  guarded in every project: all 14 hooks, never proven",
    "  ! Codex        it does not trust this project: tenterhook install codex --user",
    "  ✓ Gemini CLI   guarded in every project: all 14 hooks, never proven",
  ]);
});
