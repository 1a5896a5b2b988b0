import type { Verdict } from "../../../src/adapters/claude/mod/claude-mods.ts";
import { verdictOf } from "../../../src/adapters/claude/mod/question.js";
import { TOPIC } from "../../../src/adapters/claude/mod/wire.js";
import { answerBesides } from "../../../src/hook/last-gate.ts";
import { decidedHere } from "./decided-here.ts";
import type { Project } from "./project.ts";
import { inPlace } from "./run-cli.ts";

const SESSION = "s1";

/** Tells that the Claude Code of a session has loaded our module. */
export async function moduleLoads({ environment }: Project, version = "2.1.327"): Promise<void> {
  await answerBesides({
    text: JSON.stringify({ [TOPIC]: "loaded", session_id: SESSION, version }),
    environment,
  });
}

/** What the module in Claude Code is told about a call. */
export async function askedLast(project: Project, payload: object): Promise<Verdict> {
  const { cwd } = project;
  const text = JSON.stringify({ session_id: SESSION, cwd, tool_use_id: "t1", ...payload });
  return verdictOf(await inPlace(project, () => decidedHere(project, text, { isLastGate: true })));
}
