import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Project } from "../../cli/support/project.ts";
import { GEMINI } from "../support/gemini.ts";
import { proofSuite } from "../support/proofs.ts";
import { readJson, writeJson } from "../support/run-program.ts";

const file = ({ environment }: Project, name: string) => join(environment.HOME ?? "", ".gemini", name);

proofSuite(
  { ...GEMINI, agent: "gemini" },
  ["ask", "garbage", "hanging"],
  [
    [
      "a folder that is not trusted",
      (project) => rmSync(file(project, "trustedFolders.json")),
      "not_reached",
      "the folder is not trusted",
    ],
    [
      "another hook whose reply makes Gemini CLI forget ours",
      (project) => {
        const { hooks } = readJson(file(project, "settings.json"));
        const nonsense = { hooks: [{ type: "command", command: `echo '{"hookSpecificOutput": 7}'` }] };
        writeJson(file(project, "settings.json"), {
          hooks: { ...hooks, BeforeTool: [...hooks.BeforeTool, nonsense] },
        });
      },
      "ignored",
      "another hook keeps Gemini CLI from doing what Tenterhook decided",
    ],
  ],
  {
    prepare: (project) => writeJson(file(project, "trustedFolders.json"), { [project.cwd]: "TRUST_FOLDER" }),
  },
);
