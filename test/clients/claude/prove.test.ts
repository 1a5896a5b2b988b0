import { join } from "node:path";
import type { Project } from "../../cli/support/project.ts";
import { CLAUDE } from "../support/claude.ts";
import { proofSuite, replaceProgram } from "../support/proofs.ts";
import { readJson, writeJson } from "../support/run-program.ts";

const settings = ({ environment }: Project) => join(environment.HOME ?? "", ".claude/settings.json");

proofSuite(
  { ...CLAUDE, agent: "claude" },
  ["garbage"],
  [
    [
      "disableAllHooks",
      (project) => writeJson(settings(project), { disableAllHooks: true }),
      "not_reached",
      "disableAllHooks is true there",
    ],
    [
      "a matcher that misses the shell",
      (project) => {
        const { hooks } = readJson(settings(project));
        const PreToolUse = hooks.PreToolUse.map((group: object) => ({ ...group, matcher: "Bas|Edit" }));
        writeJson(settings(project), { hooks: { ...hooks, PreToolUse } });
      },
      "not_reached",
      'the matcher "Bas|Edit" on PreToolUse',
    ],
    [
      "our program hanging",
      (project) => replaceProgram(project, "#!/bin/sh\nexec sleep 600\n"),
      "not_reached",
      "gives no answer within",
    ],
    [
      "our program writing nonsense",
      (project) => replaceProgram(project, "#!/bin/sh\necho nonsense\n"),
      "not_reached",
      'says "nonsense"',
    ],
  ],
);
