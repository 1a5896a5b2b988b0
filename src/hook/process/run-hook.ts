import { closeSync, fstatSync, statSync, writeSync } from "node:fs";
import { LAST_GATE_FLAG } from "../../adapters/claude/mod/wire.js";
import { readCachedEvent } from "../../config/cache/read-cache.ts";
import { errorMessage } from "../../core/base/error-text.ts";
import { readInput } from "../../node/read-input.ts";
import { SYSTEM } from "../../node/system.ts";
import { systemCode } from "../../node/system-code.ts";
import type { HookCall, Host } from "../call.ts";
import type { CallReply } from "../daemon/protocol.ts";
import { decide, refusal } from "../decide.ts";
import { makeOther } from "../event-hooks.ts";
import { answerBesides } from "../last-gate.ts";
import { ASYNC_FLAG, CALL_FLAG, MODULE_FLAG, REFUSED, SLOT_VARIABLE } from "./flags.ts";

/** `tenterhook hook`: reads a payload, writes the reply, and only then does the rest. Never rejects. */
export async function runHook(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const [flag, value = ""] = args;
  if (flag === MODULE_FLAG) {
    await (await import("../../handlers/module/run-module.ts")).runModule(value);
    return 0;
  }
  const call = {
    id: flag === CALL_FLAG ? value : undefined,
    cwd: ownFolder(),
    environment,
    // On a busy machine a process takes seconds to start.
    time: Date.now() - process.uptime() * 1000,
    pid: process.pid,
    parent: process.ppid,
    signal: abortedByAgent(),
    ...(flag === LAST_GATE_FLAG ? { isLastGate: true as const } : {}),
  };
  if (flag === ASYNC_FLAG) {
    const { runTask } = await import("./start-async.ts");
    await runTask(await readInput(), call, processHost).catch(() => undefined);
    return 0;
  }
  const refused = async (reason: string, text?: string): Promise<number> =>
    writeReply(written(await refusal(reason, environment, text), call));
  let text: string;
  try {
    text = await readInput();
  } catch (error) {
    return refused(`tenterhook could not read the event: ${errorMessage(error)}`);
  }
  leaveSlot(environment);
  const besides = call.isLastGate === true ? await answerBesides({ text, environment }) : undefined;
  if (besides !== undefined) return writeReply(written(besides, call));
  return decideAndWrite({ ...call, text }, (reason) => refused(reason, text));
}

/** Its number: `process.stderr` would load Node's streams, which takes longer than to read the configuration. */
const STDERR = 2;

/** The client lets few processes start at the same time, by a locked file that this one has inherited: it has started. */
function leaveSlot(environment: NodeJS.ProcessEnv): void {
  const slot = Number(environment[SLOT_VARIABLE]);
  delete environment[SLOT_VARIABLE];
  try {
    if (slot > STDERR) closeSync(slot);
  } catch {
    // Another process has left the variable there.
  }
}

async function decideAndWrite(call: HookCall, refused: (reason: string) => Promise<number>): Promise<number> {
  let reply: Promise<number> | undefined;
  // What fails where nobody waits for it must not leave the agent without a verdict.
  const failed = (error: unknown): void => {
    reply ??= refused(`tenterhook could not decide: ${errorMessage(error)}`);
    reply.then((code) => process.exit(code));
  };
  process.on("uncaughtException", failed).on("unhandledRejection", failed);
  const answer = await decide(call, processHost);
  if (answer === undefined) return REFUSED;
  reply ??= writeReply(written(answer.reply, call));
  const code = await reply;
  if (answer.isLate === true) process.exit(code);
  // The verdict is out: whatever the rest does, it stands.
  process.exitCode = code;
  await answer.after();
  const { environment } = call;
  // Unless the user has switched it off.
  if (answer.config?.settings.daemon === true && environment.TENTERHOOK_DAEMON !== "0")
    (await import("./start-daemon.ts")).startDaemon(environment);
  return code;
}

/** The reply as it is written: for our module as the daemon sends it, since other programs may end with any code. */
function written(
  { stdout, stderr, exit_code }: CallReply,
  { isLastGate }: Pick<HookCall, "isLastGate">,
): CallReply {
  const reply = { stdout, stderr, exit_code };
  return isLastGate === true ? { stdout: JSON.stringify(reply), stderr: "", exit_code: 0 } : reply;
}

/** Aborted when the agent ends this process early, so that what hooks have started is ended too. */
function abortedByAgent(): AbortSignal {
  const controller = new AbortController();
  for (const name of ["SIGTERM", "SIGINT", "SIGHUP"] as const)
    process.once(name, () => controller.abort(new Error(`The agent ended tenterhook (${name}).`)));
  return controller.signal;
}

/** A process that decides one call. It reads what is cached of the configuration, and keeps nothing. */
export const processHost: Host = {
  takes: () => true,
  findConfig: async ({ places, event: { host } }, name) =>
    readCachedEvent(places, name) ?? (await import("../read-config.ts")).readConfigFiles(places, name, host),
  makeFor: () => makeOther,
  askFor:
    ({ environment }) =>
    async (asked, signal) =>
      (await import("../../monitor/report/ask.ts")).askDaemon(environment)(asked, signal),
  leave: async (left) => (await import("./start-async.ts")).startReader(left),
  runAsync: async (hooks, call) => (await import("./start-async.ts")).startAsyncHooks(hooks, call),
};

/** `undefined` when this process was started in a folder that was deleted. */
function ownFolder(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}

/** Writes what the agent has to read, and returns the exit code. Never rejects. */
async function writeReply({ stdout, stderr, exit_code }: CallReply): Promise<number> {
  if (stderr !== "") await writeAll(2, `${stderr}\n`);
  const problem = stdout === "" ? undefined : (unreadable() ?? (await writeAll(1, stdout)));
  if (problem === undefined) return exit_code;
  // An agent ignores half a verdict, and one after other text, and continues.
  await writeAll(2, `tenterhook could not write its decision: ${problem}\n${stdout}\n`);
  return REFUSED;
}

/** Why the agent could not read what is written to stdout now. */
function unreadable(): string | undefined {
  if (leadsNowhere()) return "its stdout is closed, or leads to the null device.";
  return hasOtherOutput() ? OTHER_OUTPUT : undefined;
}

/** True for the null device, which is also what Node opens in place of a stdout that is closed. */
function leadsNowhere(): boolean {
  if (!SYSTEM.posixShell) return false;
  try {
    const { rdev } = fstatSync(1);
    return rdev !== 0 && rdev === statSync("/dev/null").rdev;
  } catch {
    return true;
  }
}

const OTHER_OUTPUT =
  "code that NODE_OPTIONS loads wrote to stdout, where the agent expects only the decision. Start the agent without NODE_OPTIONS.";

/** True when something else has written to stdout. Asking makes a stream, so it is asked only when code is preloaded. */
function hasOtherOutput(): boolean {
  const preloads = process.env.NODE_OPTIONS !== undefined || process.execArgv.length > 0;
  return preloads && Number(Reflect.get(process.stdout, "bytesWritten")) > 0;
}

/** Writes everything, however little the reader takes at once. Returns what went wrong. */
async function writeAll(descriptor: 1 | 2, given: string): Promise<string | undefined> {
  let rest = Buffer.from(given);
  try {
    while (rest.length > 0) rest = rest.subarray(writeSync(descriptor, rest));
  } catch (error) {
    if (systemCode(error) !== "EAGAIN") return String(error);
    // Node loads thirty modules to make a stream, so it is made only when it is needed.
    const stream = descriptor === 1 ? process.stdout : process.stderr;
    return new Promise((resolve) => {
      stream.on("error", (problem) => resolve(problem.message));
      stream.write(rest, (problem) => resolve(problem?.message));
    });
  }
  return undefined;
}
