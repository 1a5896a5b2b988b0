import { approval } from "../approval.ts";
import { verdictOn } from "../permission.ts";
import type { PermissionCall } from "../ports.ts";
import type { AgentSession, Turn } from "../session.ts";
import type { TurnHookCommand } from "./types.ts";

/**
 * Why a program may not run, given as one would type it; or nothing. The turn's rules and mode hold for it as for a command of the agent; a trusted
 * file counts as approved, and a deny holds all the same.
 */
export async function refusedProgram(
  session: AgentSession,
  turn: Turn,
  line: string,
  trusted: boolean,
): Promise<string | undefined> {
  const { action, reason } = await verdictOn(session, turn, bashCall(session, line));
  if (action === "deny") return reason ?? "The permissions do not allow it.";
  if (trusted) return undefined;
  const why = reason ?? "The file that names it is not trusted.";
  const said = await approval(session, { kind: "turn_hook", subject: line, reason: why }, turn.aborted);
  if (said.decision !== "refuse") return undefined;
  const untrusted = `${line} of .agent/hook.toml is not trusted. Look at what it does and trust it with: tenterhook trust`;
  return said.feedback ?? untrusted;
}

/** A program as one would type it, so that rules for commands see what is run. */
export function commandLine({ command, args }: TurnHookCommand): string {
  return [command, ...args].map(quoted).join(" ");
}

function bashCall({ identity, workspace, mode, tools }: AgentSession, command: string): PermissionCall {
  const tool = tools.get("Bash");
  const about = { tool_name: "Bash", tool_input: { command }, mode, cwd: identity.cwd, workspace };
  return tool === undefined ? about : { ...about, tool };
}

/** A word as a shell would have to read it. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
