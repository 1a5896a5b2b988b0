import { isRecord, parseJson, sameJson } from "../../../core/base/json.ts";
import { type LastGateReply, PLUGIN } from "./wire.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A call that is about to run. */
export interface AskedCall {
  readonly tool: string;
  readonly tool_use_id: string;
  readonly agentId?: string | undefined;
  readonly input: Fields;
}

/** Where the call is made, as Claude Code tells a settings hook. */
export interface Site {
  readonly cwd: string;
  readonly transcript: string | undefined;
  readonly prompt: string | undefined;
  /** The variables that a settings hook gets besides those of Claude Code's process. */
  readonly variables: Readonly<Record<string, string>>;
}

/** What does not change while Claude Code runs. */
export interface Machine {
  /** Its variables, each ended by a zero byte. */
  readonly environment: string;
  /** What it sees of the file system, as `client.sh` names it. */
  readonly mounts: string;
}

export type Verdict =
  | { readonly action: "pass" }
  | { readonly action: "ask" | "deny"; readonly reason: string }
  | { readonly action: "rewrite"; readonly input: Fields };

/** The call as Claude Code sends it to a settings hook. */
export function payloadOf({ tool, tool_use_id, agentId, input }: AskedCall, site: Site): Fields {
  return {
    session_id: sessionOf(site),
    transcript_path: site.transcript,
    cwd: site.cwd,
    prompt_id: site.prompt,
    hook_event_name: "PreToolUse",
    tool_name: tool,
    tool_input: input,
    tool_use_id,
    agent_id: agentId,
  };
}

export function sessionOf({ variables }: Site): string | undefined {
  return variables.CLAUDE_CODE_SESSION_ID;
}

/** Those that Claude Code sets for a plug-in name ours. */
const OF_PLUGIN = /^CLAUDE_PLUGIN_/;

export function hookVariables({ variables }: Site): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !OF_PLUGIN.test(name)));
}

/** The question as the daemon reads it. */
export function bodyOf(payload: Fields, site: Site, { environment, mounts }: Machine): string {
  const random = crypto.getRandomValues(new Uint8Array(12));
  const id = `call${Array.from(random, (byte) => byte.toString(16).padStart(2, "0")).join("")}-1`;
  const agent = site.variables.CLAUDE_PID ?? "0";
  const variables = Object.entries(hookVariables(site)).map(([name, value]) => `${name}=${value}\0`);
  const head = [id, site.cwd, agent, agent, mounts].map((part) => `${part}\0`);
  return `${head.join("")}${environment}${variables.join("")}\0${JSON.stringify(payload)}`;
}

/** Systems cut or refuse the address of a socket that is longer. */
const LONGEST_ADDRESS = 100;

/** Where the daemon listens; `undefined` where it can't be asked. */
export function socketIn(machine: Machine): string | undefined {
  const state = stateIn(machine);
  if (state === undefined || variableIn(machine, "TENTERHOOK_DAEMON") === "0") return undefined;
  const socket = `${state}/monitor/hook.sock`;
  return new TextEncoder().encode(socket).length > LONGEST_ADDRESS ? undefined : socket;
}

/** Our state folder. */
export function stateIn(machine: Machine): string | undefined {
  const state = variableIn(machine, "XDG_STATE_HOME");
  if (state?.startsWith("/") === true) return `${state}/tenterhook`;
  const home = variableIn(machine, "HOME");
  return home?.startsWith("/") === true ? `${home}/.local/state/tenterhook` : undefined;
}

function variableIn({ environment }: Machine, name: string): string | undefined {
  const start = `${name}=`;
  return environment
    .split("\0")
    .find((entry) => entry.startsWith(start))
    ?.slice(start.length);
}

/** `undefined` for what is no reply of ours. */
export function readReply(text: string): LastGateReply | undefined {
  const reply = parseJson(text);
  if (!isRecord(reply)) return undefined;
  const { stdout, stderr, exit_code } = reply;
  if (typeof stdout !== "string" || typeof stderr !== "string" || typeof exit_code !== "number")
    return undefined;
  return { stdout, stderr, exit_code };
}

const NO_REASON = "A hook of Tenterhook does not want this.";

/** What a reply to a settings hook decides. */
export function verdictOf({ stdout, stderr, exit_code }: LastGateReply): Verdict {
  if (exit_code !== 0) return { action: "deny", reason: stderr.trim() || NO_REASON };
  if (stdout.trim() === "") return { action: "pass" };
  const reply = parseJson(stdout);
  if (!isRecord(reply)) return { action: "deny", reason: NO_REASON };
  const specific = isRecord(reply.hookSpecificOutput) ? reply.hookSpecificOutput : {};
  const { permissionDecision: action, permissionDecisionReason, updatedInput } = specific;
  const reason = textIn(permissionDecisionReason) ?? textIn(reply.reason) ?? NO_REASON;
  if (reply.continue === false) return { action: "deny", reason: textIn(reply.stopReason) ?? reason };
  if (action === "deny" || reply.decision === "block") return { action: "deny", reason };
  // What somebody is asked about has to be what runs then.
  if (isRecord(updatedInput)) return { action: "rewrite", input: updatedInput };
  return action === "ask" ? { action, reason } : { action: "pass" };
}

function textIn(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The fields that stand beside the arguments of a call that is about to run. */
const OF_CALL: readonly string[] = ["tool", "tool_use_id", "agentId"];

/** True when a call is about to run with the input that was decided about. */
export function sameInput(decided: Fields, running: Fields): boolean {
  return sameJson(argumentsIn(decided), argumentsIn(running));
}

export function argumentsIn(call: Fields): Fields {
  return Object.fromEntries(Object.entries(call).filter(([name]) => !OF_CALL.includes(name)));
}

/** True when the folder, or one around it, is in the list of guarded ones. */
export function isGuarded(list: string, folder: string): boolean {
  return list.split("\n").some((line) => {
    const guarded = parseJson(line);
    return typeof guarded === "string" && (folder === guarded || folder.startsWith(`${guarded}/`));
  });
}

/** The answer to the question whether a plug-in may act by itself. */
export function readAllowed(stdout: string): { readonly isAllowed: boolean; readonly id?: string } {
  const answer = parseJson(stdout);
  if (!isRecord(answer)) return { isAllowed: false };
  const { is_allowed, id } = answer;
  return { isAllowed: is_allowed === true, ...(typeof id === "string" ? { id } : {}) };
}

/** What the person reads about a plug-in whose module does not load. */
export function leftOut(name: string, id: string | undefined): string {
  const allow =
    id === undefined ? "" : ` To allow it: mods: { allow: [${JSON.stringify(id)}] } in your own hooks.yaml.`;
  return `Tenterhook left out the code of plug-in ${name}: it starts programs or writes files by itself, which no hook sees.${allow}`;
}

/** What the model reads when our program can't be asked in a folder that it guards. */
export function unaskable(why: string): string {
  return `Tenterhook guards this folder, and its program can't be asked: ${why}. So this is refused. To mend it: npm install -g tenterhook. To remove it: tenterhook uninstall claude --scope user, or take ${PLUGIN} out of prependPlugins in Claude Code's settings.`;
}
