import { namedFiles } from "../../core/match/tool-inputs.ts";
import { nodePaths } from "../../node/paths.ts";
import type { AgentSession } from "../session/session.ts";
import type { PassedCall, RefusedCall } from "./gate.ts";

/** Where the files that calls name lead, call by call: gates have judged these, and no others. */
export function whereTheyLead(
  session: AgentSession,
  calls: readonly (PassedCall | RefusedCall)[],
): readonly string[] {
  return calls.map((call) => ("tool" in call ? whereItLeads(session, call) : ""));
}

/** Where the files that a call names lead now, as a text to compare. */
export function whereItLeads({ identity: { cwd } }: AgentSession, { input }: PassedCall): string {
  return namedFiles(input)
    .flatMap(({ path }) => nodePaths.spellings(path, cwd))
    .join("\n");
}
