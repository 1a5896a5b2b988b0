import { PLACE } from "./place.js";
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
  return (
    (await askDaemon($, bodyOf(payload, site, machine), machine)) ??
    askProgram($, payload, site.cwd, hookVariables(site))
  );
}

/**
 * @param {Engine} $
 * @param {string} body
 * @param {Machine} machine
 */
async function askDaemon($, body, { socket: socketPath }) {
  if (socketPath === undefined) return undefined;
  try {
    const url = `http://localhost${LAST_GATE_PATH}`;
    const { status, text } = await $.http.fetch(url, { method: "POST", body, socketPath });
    return status === 200 ? readReply(text) : undefined;
  } catch {
    return undefined;
  }
}

/** In the seat of a machine no variable says who answers: it is for whoever starts Claude Code, with whatever variables. */
const IS_MANAGED = PLACE.state === undefined;

/** Our program; for a user, whose one may have moved with its engine, the one of that name, too. */
const PROGRAMS = IS_MANAGED ? [PLACE.program] : [PLACE.program, ["tenterhook"]];

/** Variables that load code into our program are empty for it. */
const UNSET = Object.fromEntries((PLACE.unset ?? []).map((name) => [name, ""]));

/**
 * @param {Engine} $
 * @param {Fields} payload
 * @param {string} cwd
 * @param {Readonly<Record<string, string>>} variables
 * @returns {Promise<LastGateReply>}
 */
async function askProgram($, payload, cwd, variables) {
  let why = "it did not decide";
  for (const program of PROGRAMS)
    try {
      const { stdout } = await $.process.run([...program, "hook", LAST_GATE_FLAG], {
        cwd,
        env: { ...variables, ...UNSET },
        stdin: JSON.stringify(payload),
        timeoutMs: MOST_MILLISECONDS,
      });
      const reply = readReply(stdout);
      if (reply !== undefined) return reply;
    } catch (error) {
      why = error instanceof Error ? error.message : String(error);
    }
  throw new Error(why);
}

/**
 * The state folder below the home folder of the account.
 *
 * @param {Engine} $
 */
async function askState($) {
  try {
    const { stdout } = await askProgram($, { [TOPIC]: "state" }, "/", { HOME: "", XDG_STATE_HOME: "" });
    return stdout.startsWith("/") ? stdout : undefined;
  } catch {
    return undefined;
  }
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
  const [environment, mounts, state] = await Promise.all([
    written($, ["/usr/bin/env", "-0"]),
    written($, ["/usr/bin/readlink", "-n", "/proc/self/ns/mnt"]),
    PLACE.state ?? askState($),
  ]);
  const isOff = !IS_MANAGED && environment.split("\0").includes("TENTERHOOK_DAEMON=0");
  const socket = isOff || state === undefined ? undefined : socketIn(state);
  return { environment, mounts, state, socket };
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
  const { state } = await machineOf($);
  if (state === undefined) return true;
  try {
    const list = await $.fs.read(`${state}/${GUARDED_FILE}`);
    return foldersOf(site).some((folder) => isGuarded(list, folder));
  } catch (error) {
    return !MISSING.test(String(error));
  }
}
