import {
  bodyOf,
  foldersOf,
  hookVariables,
  isGuarded,
  payloadOf,
  readAllowed,
  readReply,
  sessionOf,
  socketIn,
  stateIn,
  unaskable,
  verdictOf,
} from "./question.js";
import { GUARDED_FILE, LAST_GATE_FLAG, LAST_GATE_PATH, TOPIC } from "./wire.js";

/* How the module asks: the daemon, else our program. Whatever it asks of Claude Code for that, `shield` keeps from other mods. */

/**
 * @import { AskedCall, Engine, Fields, LastGateReply, Machine, Site, Verdict } from "./claude-mods.ts"
 */

/** How long our program may take in the place of the daemon, which answers sooner. */
const MOST_MILLISECONDS = 30_000;

/** @type {Promise<Machine> | undefined} */
let known;

/**
 * Reports that the module is loaded. The session goes on whatever becomes of that.
 *
 * @param {Engine} $
 */
export async function report($) {
  const site = await siteOf($);
  const { version } = await $.session.version();
  await ask($, { [TOPIC]: "loaded", session_id: sessionOf(site), version }, site).catch(() => undefined);
}

/**
 * Asks whether a plug-in may act by itself.
 *
 * @param {Engine} $
 * @param {string} name
 * @param {string | undefined} root
 * @returns {Promise<{ readonly isAllowed: boolean, readonly id?: string | undefined }>}
 */
export async function askWhetherAllowed($, name, root) {
  const site = await siteOf($);
  try {
    const { stdout } = await ask($, { [TOPIC]: "plugin", name, root, cwd: site.cwd }, site);
    return readAllowed(stdout);
  } catch {
    return { isAllowed: !(await isOnRecord($, site)) };
  }
}

/**
 * Asks what our hooks decide about a call.
 *
 * @param {Engine} $
 * @param {AskedCall} call
 * @returns {Promise<Verdict>}
 */
export async function judge($, call) {
  const site = await siteOf($);
  try {
    return verdictOf(await ask($, payloadOf(call, site), site));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return (await isOnRecord($, site)) ? { action: "deny", reason: unaskable(why) } : { action: "pass" };
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

/** How Claude Code ends the message about a file that is not there. */
const MISSING = /\bENOENT$/;

/**
 * True where our program is known to guard calls.
 *
 * @param {Engine} $
 * @param {Site} site
 */
async function isOnRecord($, site) {
  const state = stateIn(await machineOf($));
  if (state === undefined) return true;
  try {
    const list = await $.fs.read(`${state}/${GUARDED_FILE}`);
    return foldersOf(site).some((folder) => isGuarded(list, folder));
  } catch (error) {
    return !MISSING.test(String(error));
  }
}
