import { ACTS } from "./acting.ts";
import type { CheckedCall, Engine, Next, On, Permission, Registered, ToolCall } from "./claude-mods.ts";
import {
  type AskedCall,
  argumentsIn,
  bodyOf,
  hookVariables,
  isGuarded,
  leftOut,
  type Machine,
  payloadOf,
  readAllowed,
  readReply,
  type Site,
  sameInput,
  sessionOf,
  socketIn,
  stateIn,
  unaskable,
  type Verdict,
  verdictOf,
} from "./question.ts";
import { GUARDED_FILE, LAST_GATE_FLAG, LAST_GATE_PATH, type LastGateReply, TOPIC } from "./wire.ts";

/*
 * The module of our plug-in in Claude Code: the last gate, which sees the input that runs. The settings hook beside it is
 * asked first and waits for people; this one asks what was decided, and has another input judged.
 */

type Fields = Readonly<Record<string, unknown>>;

/** How long our program may take in the place of the daemon, which answers sooner. */
const MOST_MILLISECONDS = 30_000;

/** What was decided about the calls under way. */
const decided = new Map<string, { readonly input: Fields; readonly verdict: Verdict }>();
/** What is to run in the place of calls that ended without. */
const rewrites = new Map<string, Fields>();
let known: Promise<Machine> | undefined;

export function register(on: On): void {
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

function shield($: Engine, e: unknown, next: Next<unknown, unknown>): Promise<unknown> {
  return next.origin.plugin === $.plugin.name ? next.to(e, "core") : next(e);
}

async function reportLoaded($: Engine, e: Fields, next: Next<Fields, unknown>): Promise<unknown> {
  const site = await siteOf($);
  const { version } = await $.session.version();
  await ask($, { [TOPIC]: "loaded", session_id: sessionOf(site), version }, site).catch(() => undefined);
  return next(e);
}

/** Leaves out the module of a plug-in that acts itself, which makes no call that a gate sees, unless it was allowed. */
async function judgePlugin($: Engine, e: Registered, next: Next<Registered, unknown>): Promise<unknown> {
  const { name, root, uses, provides } = e;
  const modules = provides?.modules ?? [];
  if (modules.length === 0 || uses?.calls?.some((call) => ACTS.includes(call)) !== true) return next(e);
  const { isAllowed, id } = await askAbout($, name, root);
  if (isAllowed) return next(e);
  $.ui.toast(leftOut(name, id));
  return next({ ...e, provides: { ...provides, modules: [] } });
}

async function askAbout($: Engine, name: string, root: string | undefined) {
  const site = await siteOf($);
  try {
    const { stdout } = await ask($, { [TOPIC]: "plugin", name, root, cwd: site.cwd }, site);
    return readAllowed(stdout);
  } catch {
    return { isAllowed: !(await isOnRecord($, site.cwd)) };
  }
}

function refusePlugin(_: Engine, e: Registered, next: Next<Registered, unknown>): unknown {
  return next.called ? next(e) : { refuse: FAILED };
}

/** Runs a call again with the input that our hooks gave it, where somebody has dropped that. */
async function runRewritten(_: Engine, e: ToolCall, next: Next<ToolCall, unknown>): Promise<unknown> {
  const { tool, tool_use_id, agentId } = e;
  const result = await next(e);
  const input = rewrites.get(tool_use_id);
  rewrites.delete(tool_use_id);
  decided.delete(tool_use_id);
  if (input === undefined) return result;
  return next({ ...input, tool, tool_use_id, ...(agentId === undefined ? {} : { agentId }) });
}

async function check($: Engine, e: CheckedCall, next: Next<CheckedCall, Permission>): Promise<Permission> {
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

async function run($: Engine, e: ToolCall, next: Next<ToolCall, unknown>): Promise<unknown> {
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

function runsInstead(tool_use_id: string, input: Fields): string {
  rewrites.set(tool_use_id, input);
  return "A hook of Tenterhook has rewritten this call, which runs as it is rewritten.";
}

const FAILED = "Tenterhook could not decide about this, so it is refused.";

function denyCheck(): Permission {
  return { decision: "deny", reason: FAILED };
}

function refuse<Event>(_: Engine, e: Event, next: Next<Event, unknown>): unknown {
  return next.called ? next(e) : { deny: FAILED };
}

async function judge($: Engine, call: AskedCall): Promise<Verdict> {
  const site = await siteOf($);
  try {
    return verdictOf(await ask($, payloadOf(call, site), site));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return (await isOnRecord($, site.cwd)) ? { action: "deny", reason: unaskable(why) } : { action: "pass" };
  }
}

/** Asks the daemon, else our program, which starts one. */
async function ask($: Engine, payload: Fields, site: Site): Promise<LastGateReply> {
  const machine = await machineOf($);
  return (await askDaemon($, bodyOf(payload, site, machine), machine)) ?? askProgram($, payload, site);
}

async function askDaemon($: Engine, body: string, machine: Machine): Promise<LastGateReply | undefined> {
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

async function askProgram($: Engine, payload: Fields, site: Site): Promise<LastGateReply> {
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

async function siteOf($: Engine): Promise<Site> {
  const [cwd, { transcriptPath: transcript, promptId: prompt }, variables] = await Promise.all([
    $.session.cwd(),
    $.session.info(),
    $.process.hookEnv(),
  ]);
  return { cwd, transcript, prompt, variables };
}

function machineOf($: Engine): Promise<Machine> {
  known ??= readMachine($);
  return known;
}

async function readMachine($: Engine): Promise<Machine> {
  const [environment, mounts] = await Promise.all([
    written($, ["/usr/bin/env", "-0"]),
    written($, ["/usr/bin/readlink", "-n", "/proc/self/ns/mnt"]),
  ]);
  return { environment, mounts };
}

/** What a program writes; nothing where it is missing. */
async function written($: Engine, argv: readonly string[]): Promise<string> {
  try {
    const { exitCode, stdout } = await $.process.run(argv);
    return exitCode === 0 ? stdout : "";
  } catch {
    return "";
  }
}

/** True where our program is known to guard calls. */
async function isOnRecord($: Engine, folder: string): Promise<boolean> {
  const state = stateIn(await machineOf($));
  if (state === undefined) return true;
  try {
    return isGuarded(await $.fs.read(`${state}/${GUARDED_FILE}`), folder);
  } catch {
    return false;
  }
}
