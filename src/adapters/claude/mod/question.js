import { PLUGIN } from "./wire.js";

/**
 * @import { AskedCall, Fields, LastGateReply, Machine, Site, Verdict } from "./claude-mods.ts"
 */

/**
 * The call as Claude Code sends it to a settings hook.
 *
 * @param {AskedCall} call
 * @param {Site} site
 * @returns {Fields}
 */
export function payloadOf({ tool, tool_use_id, agentId, input }, site) {
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

/** @param {Site} site */
export function sessionOf({ variables }) {
  return variables.CLAUDE_CODE_SESSION_ID;
}

/** Those that Claude Code sets for a plug-in name ours. */
const OF_PLUGIN = /^CLAUDE_PLUGIN_/;

/** @param {Site} site */
export function hookVariables({ variables }) {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !OF_PLUGIN.test(name)));
}

/**
 * The question as the daemon reads it.
 *
 * @param {Fields} payload
 * @param {Site} site
 * @param {Pick<Machine, "environment" | "mounts">} machine
 */
export function bodyOf(payload, site, { environment, mounts }) {
  const random = crypto.getRandomValues(new Uint8Array(12));
  const id = `call${Array.from(random, (byte) => byte.toString(16).padStart(2, "0")).join("")}-1`;
  const agent = site.variables.CLAUDE_PID ?? "0";
  const variables = Object.entries(hookVariables(site)).map(([name, value]) => `${name}=${value}\0`);
  const head = [id, site.cwd, agent, agent, mounts].map((part) => `${part}\0`);
  return `${head.join("")}${environment}${variables.join("")}\0${JSON.stringify(payload)}`;
}

/** Systems cut or refuse the address of a socket that is longer. */
const LONGEST_ADDRESS = 100;

/**
 * Where the daemon of a state folder listens; `undefined` where it can't be asked.
 *
 * @param {string} state
 */
export function socketIn(state) {
  const socket = `${state}/monitor/hook.sock`;
  return new TextEncoder().encode(socket).length > LONGEST_ADDRESS ? undefined : socket;
}

/**
 * `undefined` for what is no reply of ours.
 *
 * @param {string} text
 * @returns {LastGateReply | undefined}
 */
export function readReply(text) {
  const { stdout, stderr, exit_code } = fieldsIn(text);
  return typeof stdout === "string" && typeof stderr === "string" && typeof exit_code === "number"
    ? { stdout, stderr, exit_code }
    : undefined;
}

const NO_REASON = "A hook of Tenterhook does not want this.";

/**
 * What a reply to a settings hook decides.
 *
 * @param {LastGateReply} reply
 * @returns {Verdict}
 */
export function verdictOf({ stdout, stderr, exit_code }) {
  if (exit_code !== 0) return { action: "deny", reason: stderr.trim() || NO_REASON };
  if (stdout.trim() === "") return { action: "pass" };
  const value = parsed(stdout);
  if (!isRecord(value)) return { action: "deny", reason: NO_REASON };
  const specific = isRecord(value.hookSpecificOutput) ? value.hookSpecificOutput : {};
  const { permissionDecision: action, permissionDecisionReason, updatedInput } = specific;
  const reason = textIn(permissionDecisionReason) ?? textIn(value.reason) ?? NO_REASON;
  if (value.continue === false) return { action: "deny", reason: textIn(value.stopReason) ?? reason };
  if (action === "deny" || value.decision === "block") return { action: "deny", reason };
  // What somebody is asked about has to be what runs then.
  if (isRecord(updatedInput)) return { action: "rewrite", input: updatedInput };
  return action === "ask" ? { action, reason } : { action: "pass" };
}

/** @param {unknown} value */
function textIn(value) {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The fields that stand beside the arguments of a call that is about to run. */
const OF_CALL = ["tool", "tool_use_id", "agentId"];

/**
 * True when a call is about to run with the input that was decided about.
 *
 * @param {Fields} decided
 * @param {Fields} running
 */
export function sameInput(decided, running) {
  return ordered(argumentsIn(decided)) === ordered(argumentsIn(running));
}

/**
 * A value as JSON, with the keys of each object in order.
 *
 * @param {unknown} value
 */
function ordered(value) {
  return JSON.stringify(value, (_, part) =>
    isRecord(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
  );
}

/**
 * @param {Fields} call
 * @returns {Fields}
 */
export function argumentsIn(call) {
  return Object.fromEntries(Object.entries(call).filter(([name]) => !OF_CALL.includes(name)));
}

/**
 * The folders of which a guarded one makes that a call is refused: the model may have left the project.
 *
 * @param {Site} site
 */
export function foldersOf({ cwd, variables: { CLAUDE_PROJECT_DIR: project = cwd } }) {
  return [cwd, project];
}

/**
 * True when the folder, or one around it, is in the list of guarded ones.
 *
 * @param {string} list
 * @param {string} folder
 */
export function isGuarded(list, folder) {
  return list.split("\n").some((line) => {
    const guarded = parsed(line);
    return (
      typeof guarded === "string" && `${folder}/`.startsWith(guarded.endsWith("/") ? guarded : `${guarded}/`)
    );
  });
}

/**
 * The answer to the question whether a plug-in may act by itself.
 *
 * @param {string} stdout
 */
export function readAllowed(stdout) {
  const { is_allowed, id } = fieldsIn(stdout);
  return { isAllowed: is_allowed === true, id: textIn(id) };
}

/**
 * What the person reads about a plug-in whose module does not load.
 *
 * @param {string} name
 * @param {string | undefined} id
 */
export function leftOut(name, id) {
  const allow =
    id === undefined ? "" : ` To allow it: mods: { allow: [${JSON.stringify(id)}] } in your own hooks.yaml.`;
  return `Tenterhook left out the code of plug-in ${name}: it starts programs or writes files by itself, or changes what others do, which no hook sees.${allow}`;
}

/**
 * What the model reads when our program can't be asked in a folder that it guards.
 *
 * @param {string} why
 */
export function unaskable(why) {
  return `Tenterhook guards this folder, and its program can't be asked: ${why}. So this is refused. To mend it: npm install -g tenterhook. To remove it: tenterhook uninstall claude --user, or take ${PLUGIN} out of prependPlugins in Claude Code's settings.`;
}

/**
 * @param {string} text
 * @returns {Fields}
 */
function fieldsIn(text) {
  const value = parsed(text);
  return isRecord(value) ? value : {};
}

/**
 * @param {string} text
 * @returns {unknown}
 */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * @param {unknown} value
 * @returns {value is Fields}
 */
function isRecord(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
