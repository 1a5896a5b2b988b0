import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Project } from "../../cli/support/project.ts";
import { CODEX } from "../support/codex.ts";
import { proofSuite } from "../support/proofs.ts";
import { readJson, writeJson } from "../support/run-program.ts";

const file = ({ environment }: Project, name: string) => join(environment.HOME ?? "", ".codex", name);

proofSuite(
  { ...CODEX, agent: "codex", installOptions: ["--user", "--trust"] },
  ["ask", "garbage", "hanging"],
  [
    [
      "hooks that nobody has trusted",
      (project) => rmSync(file(project, "config.toml")),
      "not_reached",
      "Codex does not trust our entry",
    ],
    [
      "an entry that has moved, so that its trust is lost",
      (project) => {
        const { hooks } = readJson(file(project, "hooks.json"));
        const other = { hooks: [{ type: "command", command: "true" }] };
        writeJson(file(project, "hooks.json"), {
          hooks: { ...hooks, PreToolUse: [other, ...hooks.PreToolUse] },
        });
      },
      "not_reached",
      "our entry for PreToolUse",
    ],
  ],
);
