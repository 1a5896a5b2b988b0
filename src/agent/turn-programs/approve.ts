import type { PermissionMode } from "../../core/contracts/tool.ts";
import type { PermissionCall } from "../contracts.ts";
import { modeOf } from "../session/mode.ts";
import type { AgentSession, Turn } from "../session/session.ts";
import { approval } from "../tool-calls/approval.ts";
import { verdictOn } from "../tool-calls/permission.ts";
import type { TurnHookCommand } from "./types.ts";

/**
 * Why a program may not run, given as one would type it; or nothing. The turn's rules and mode hold for it as for a
 * command of the agent. A trusted file counts as approved, and so does exactly this program once a human has allowed it
 * for the session; a deny holds all the same.
 */
export async function refusedProgram(
  session: AgentSession,
  turn: Turn,
  line: string,
  trusted: boolean,
): Promise<string | undefined> {
  // What is approved need not be asked about, so it runs where nobody is asked.
  const present = modeOf(session);
  const mode = trusted && present === "dont-ask" ? "default" : present;
  const { action, reason, rule } = await verdictOn(session, turn, bashCall(session, line, mode));
  if (action === "deny") return reason ?? "The permissions do not allow it.";
  if (trusted || session.approvedPrograms.has(line)) return undefined;
  const isRuled = action === "ask" && rule !== undefined && reason !== undefined;
  const why = isRuled ? reason : "The file that names it is not trusted.";
  const said = await approval(session, { kind: "turn_hook", subject: line, reason: why }, turn.signal);
  if (said.decision === "session") session.approvedPrograms.add(line);
  if (said.decision !== "refuse") return undefined;
  const untrusted = `${line} of .agent/hook.toml is not trusted. Look at what it does and trust it with: tenterhook trust`;
  return said.feedback ?? untrusted;
}

/** A program as one would type it, so that rules for commands see what is run. */
export function commandLine({ command, args }: TurnHookCommand): string {
  return [command, ...args].map(quoted).join(" ");
}

function bashCall(
  { identity, workspace, tools }: AgentSession,
  command: string,
  mode: PermissionMode,
): PermissionCall {
  const tool = tools.get("Bash");
  const about = { tool_name: "Bash", tool_input: { command }, mode, cwd: identity.cwd, workspace };
  return tool === undefined ? about : { ...about, tool };
}

/** A word as a shell would have to read it. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
