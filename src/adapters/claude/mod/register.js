import { ACTS } from "./acting.js";
import {
  argumentsIn,
  bodyOf,
  hookVariables,
  isGuarded,
  leftOut,
  payloadOf,
  readAllowed,
  readReply,
  sameInput,
  sessionOf,
  socketIn,
  stateIn,
  unaskable,
  verdictOf,
} from "./question.js";
import { GUARDED_FILE, LAST_GATE_FLAG, LAST_GATE_PATH, TOPIC } from "./wire.js";

/*
 * The module of our plug-in in Claude Code: the last gate, which sees the input that runs. The settings hook beside it is
 * asked first and waits for people; this one asks what was decided, and has another input judged.
 */

/**
 * @import { AskedCall, CheckedCall, Engine, Fields, LastGateReply, Machine, Next, On, Permission, Registered, Site, ToolCall, Verdict } from "./claude-mods.ts"
 */

/** How long our program may take in the place of the daemon, which answers sooner. */
const MOST_MILLISECONDS = 30_000;

/**
 * What was decided about the calls under way.
 *
 * @type {Map<string, { readonly input: Fields, readonly verdict: Verdict }>}
 */
const decided = new Map();

/**
 * What is to run in the place of calls that ended without.
 *
 * @type {Map<string, Fields>}
 */
const rewrites = new Map();

/** @type {Promise<Machine> | undefined} */
let known;

/** @param {On} on */
export function register(on) {
  on("plugin.register", judgePlugin).catch(refusePlugin);
  on("session.start", reportLoaded);
  on("tool.call", runRewritten).catch(refuse);
  on("tool.check", check).catch(denyCheck);
  on("tool.run", run).catch(refuse);
  // Whatever ours asks, no mod of others answers.
  on("http.fetch", shield).catch(refuse);
  on("process.run", shield).catch(refuse);
  on("process.hookEnv", shield).catch(refuse);
  on("session.cwd", shield).catch(refuse);
  on("session.info", shield).catch(refuse);
  on("session.version", shield).catch(refuse);
  on("fs.read", shield).catch(refuse);
}

/**
 * @param {Engine} $
 * @param {unknown} e
 * @param {Next<unknown, unknown>} next
 */
function shield($, e, next) {
  return next.origin.plugin === $.plugin.name ? next.to(e, "core") : next(e);
}

/**
 * @param {Engine} $
 * @param {Fields} e
 * @param {Next<Fields, unknown>} next
 */
async function reportLoaded($, e, next) {
  const site = await siteOf($);
  const { version } = await $.session.version();
  await ask($, { [TOPIC]: "loaded", session_id: sessionOf(site), version }, site).catch(() => undefined);
  return next(e);
}

/**
 * Leaves out the module of a plug-in that acts itself, which makes no call that a gate sees, unless it was allowed.
 *
 * @param {Engine} $
 * @param {Registered} e
 * @param {Next<Registered, unknown>} next
 */
async function judgePlugin($, e, next) {
  const { name, root, uses, provides } = e;
  const modules = provides?.modules ?? [];
  if (modules.length === 0 || uses?.calls?.some((call) => ACTS.includes(call)) !== true) return next(e);
  const { isAllowed, id } = await askAbout($, name, root);
  if (isAllowed) return next(e);
  $.ui.toast(leftOut(name, id));
  return next({ ...e, provides: { ...provides, modules: [] } });
}

/**
 * @param {Engine} $
 * @param {string} name
 * @param {string | undefined} root
 * @returns {Promise<{ readonly isAllowed: boolean, readonly id?: string | undefined }>}
 */
async function askAbout($, name, root) {
  const site = await siteOf($);
  try {
    const { stdout } = await ask($, { [TOPIC]: "plugin", name, root, cwd: site.cwd }, site);
    return readAllowed(stdout);
  } catch {
    return { isAllowed: !(await isOnRecord($, site.cwd)) };
  }
}

/**
 * Runs a call again with the input that our hooks gave it, where somebody has dropped that.
 *
 * @param {Engine} _
 * @param {ToolCall} e
 * @param {Next<ToolCall, unknown>} next
 */
async function runRewritten(_, e, next) {
  const { tool, tool_use_id, agentId } = e;
  const result = await next(e);
  const input = rewrites.get(tool_use_id);
  rewrites.delete(tool_use_id);
  decided.delete(tool_use_id);
  if (input === undefined) return result;
  return next({ ...input, tool, tool_use_id, ...(agentId === undefined ? {} : { agentId }) });
}

/**
 * @param {Engine} $
 * @param {CheckedCall} e
 * @param {Next<CheckedCall, Permission>} next
 * @returns {Promise<Permission>}
 */
async function check($, e, next) {
  const { tool, tool_use_id, agentId, input } = e;
  // It is judged when it runs.
  if (tool_use_id === undefined) return next(e);
  const verdict = await judge($, { tool, tool_use_id, agentId, input });
  decided.set(tool_use_id, { input, verdict });
  const { action } = verdict;
  if (action === "deny") return { decision: "deny", reason: verdict.reason };
  if (action === "rewrite") return { decision: "deny", reason: runsInstead(tool_use_id, verdict.input) };
  const below = await next(e);
  return action === "ask" && below.decision !== "deny" ? { decision: "ask", reason: verdict.reason } : below;
}

/**
 * @param {Engine} $
 * @param {ToolCall} e
 * @param {Next<ToolCall, unknown>} next
 */
async function run($, e, next) {
  const { tool, tool_use_id, agentId } = e;
  const before = decided.get(tool_use_id);
  const isChecked = before !== undefined && sameInput(before.input, e);
  const input = argumentsIn(e);
  const verdict = isChecked ? before.verdict : await judge($, { tool, tool_use_id, agentId, input });
  const { action } = verdict;
  // Somebody was asked, and has agreed.
  if (action === "pass" || (action === "ask" && isChecked)) return next(e);
  if (action === "rewrite") return { deny: runsInstead(tool_use_id, verdict.input) };
  return { deny: verdict.reason };
}

/**
 * @param {string} tool_use_id
 * @param {Fields} input
 */
function runsInstead(tool_use_id, input) {
  rewrites.set(tool_use_id, input);
  return "A hook of Tenterhook has rewritten this call, which runs as it is rewritten.";
}

const FAILED = "Tenterhook could not decide about this, so it is refused.";

/** @returns {Permission} */
function denyCheck() {
  return { decision: "deny", reason: FAILED };
}

/**
 * @template Event
 * @param {Engine} _
 * @param {Event} e
 * @param {Next<Event, unknown>} next
 * @returns {unknown}
 */
function refuse(_, e, next) {
  return next.called ? next(e) : { deny: FAILED };
}

/**
 * @param {Engine} _
 * @param {Registered} e
 * @param {Next<Registered, unknown>} next
 * @returns {unknown}
 */
function refusePlugin(_, e, next) {
  return next.called ? next(e) : { refuse: FAILED };
}

/**
 * @param {Engine} $
 * @param {AskedCall} call
 * @returns {Promise<Verdict>}
 */
async function judge($, call) {
  const site = await siteOf($);
  try {
    return verdictOf(await ask($, payloadOf(call, site), site));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return (await isOnRecord($, site.cwd)) ? { action: "deny", reason: unaskable(why) } : { action: "pass" };
  }
}

/**
 * Asks the daemon, else our program, which starts one.
 *
 * @param {Engine} $
 * @param {Fields} payload
 * @param {Site} site
 */
async function ask($, payload, site) {
  const machine = await machineOf($);
  return (await askDaemon($, bodyOf(payload, site, machine), machine)) ?? askProgram($, payload, site);
}

/**
 * @param {Engine} $
 * @param {string} body
 * @param {Machine} machine
 */
async function askDaemon($, body, machine) {
  const socketPath = socketIn(machine);
  if (socketPath === undefined) return undefined;
  try {
    const url = `http://localhost${LAST_GATE_PATH}`;
    const { status, text } = await $.http.fetch(url, { method: "POST", body, socketPath });
    return status === 200 ? readReply(text) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * @param {Engine} $
 * @param {Fields} payload
 * @param {Site} site
 * @returns {Promise<LastGateReply>}
 */
async function askProgram($, payload, site) {
  const { stdout } = await $.process.run(["tenterhook", "hook", LAST_GATE_FLAG], {
    cwd: site.cwd,
    env: hookVariables(site),
    stdin: JSON.stringify(payload),
    timeoutMs: MOST_MILLISECONDS,
  });
  const reply = readReply(stdout);
  if (reply === undefined) throw new Error("it did not decide");
  return reply;
}

/**
 * @param {Engine} $
 * @returns {Promise<Site>}
 */
async function siteOf($) {
  const [cwd, { transcriptPath: transcript, promptId: prompt }, variables] = await Promise.all([
    $.session.cwd(),
    $.session.info(),
    $.process.hookEnv(),
  ]);
  return { cwd, transcript, prompt, variables };
}

/** @param {Engine} $ */
function machineOf($) {
  known ??= readMachine($);
  return known;
}

/**
 * @param {Engine} $
 * @returns {Promise<Machine>}
 */
async function readMachine($) {
  const [environment, mounts] = await Promise.all([
    written($, ["/usr/bin/env", "-0"]),
    written($, ["/usr/bin/readlink", "-n", "/proc/self/ns/mnt"]),
  ]);
  return { environment, mounts };
}

/**
 * What a program writes; nothing where it is missing.
 *
 * @param {Engine} $
 * @param {readonly string[]} argv
 */
async function written($, argv) {
  try {
    const { exitCode, stdout } = await $.process.run(argv);
    return exitCode === 0 ? stdout : "";
  } catch {
    return "";
  }
}

/**
 * True where our program is known to guard calls.
 *
 * @param {Engine} $
 * @param {string} folder
 */
async function isOnRecord($, folder) {
  const state = stateIn(await machineOf($));
  if (state === undefined) return true;
  try {
    return isGuarded(await $.fs.read(`${state}/${GUARDED_FILE}`), folder);
  } catch {
    return false;
  }
}
