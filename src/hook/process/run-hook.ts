import { closeSync } from "node:fs";
import { readCachedEvent } from "../../config/cache/read-cache.ts";
import { errorMessage } from "../../core/base/error-text.ts";
import { readInput } from "../../node/read-input.ts";
import type { Answer, HookCall, Host } from "../call.ts";
import { decide, refusal } from "../decide.ts";
import { makeOther } from "../event-hooks.ts";
import { ASYNC_FLAG, CALL_FLAG, MODULE_FLAG, SLOT_VARIABLE } from "./flags.ts";
import { REFUSED, writeReply } from "./write-reply.ts";

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
  };
  if (flag === ASYNC_FLAG) {
    const { runTask } = await import("./start-async.ts");
    await runTask(await readInput(), call, processHost).catch(() => undefined);
    return 0;
  }
  const refused = async (reason: string, text?: string): Promise<number> =>
    writeReply(await refusal(reason, environment, text));
  let text: string;
  try {
    text = await readInput();
  } catch (error) {
    return refused(`tenterhook could not read the event: ${errorMessage(error)}`);
  }
  leaveSlot(environment);
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
  let written: Promise<number> | undefined;
  // What fails where nobody waits for it must not leave the agent without a verdict.
  const failed = (error: unknown): void => {
    written ??= refused(`tenterhook could not decide: ${errorMessage(error)}`);
    written.then((code) => process.exit(code));
  };
  process.on("uncaughtException", failed).on("unhandledRejection", failed);
  const answer = await decide(call, processHost);
  if (answer === undefined) return REFUSED;
  written ??= writeReply(answer.reply);
  const code = await written;
  // The verdict is out: whatever the rest does, it stands.
  process.exitCode = code;
  await answer.after();
  if (wantsDaemon(answer, call)) (await import("./start-daemon.ts")).startDaemon(call.environment);
  return code;
}

/** True unless the user has switched the daemon off. */
function wantsDaemon({ config }: Answer, { environment }: HookCall): boolean {
  return config?.settings.daemon === true && environment.TENTERHOOK_DAEMON !== "0";
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
