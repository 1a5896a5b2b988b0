import { type ChildProcess, spawn } from "node:child_process";
import { PACKAGE_VERSION } from "../../../../node/package-version.ts";
import { SERVE_FLAG, WARM_FLAG } from "../../startup/flags.ts";
import type { WarmCall } from "../decide-call.ts";
import type { CallReply, HookCall } from "../protocol.ts";
import { ask, type Caller } from "./ask.ts";

/** Each holds the processes and the modules of its hooks. */
const MOST_CHILDREN = 8;
/** How long a child has to end the processes of its hooks. */
const FAREWELL_MILLISECONDS = 2000;

export interface WarmOptions {
  /** The program `tenterhook`. */
  readonly script: string;
  /** How long a child may wait for a call. */
  readonly idle_milliseconds?: number;
  /** How old a child may be when it gets a call: not every file that a program or a module uses is known. */
  readonly most_milliseconds?: number;
}

interface Child {
  readonly process: ChildProcess;
  readonly call: Pick<HookCall, "cwd" | "variables">;
  readonly started: number;
  state: "starting" | "idle" | "busy";
  timer?: NodeJS.Timeout;
}

/** Decides a call in a child; `undefined` when a process of its own must decide it. Never rejects. */
export type DecideWarm = (call: HookCall, warm: WarmCall, caller: Caller) => Promise<CallReply | undefined>;

/**
 * Children that keep the processes of persistent hooks, and modules, between calls. Each was started with the variables and the folder
 * of the calls it decides, and decides one at a time. When none is idle, the call is not taken, and another child starts.
 */
export function warmPool({
  script,
  idle_milliseconds = 5 * 60_000,
  most_milliseconds = 10 * 60_000,
}: WarmOptions): DecideWarm {
  const children = new Set<Child>();
  const end = (child: Child, milliseconds = FAREWELL_MILLISECONDS): void => {
    if (!children.delete(child)) return;
    clearTimeout(child.timer);
    // The call that it decides ends as if the agent had ended it.
    if (child.state === "busy") child.process.kill("SIGTERM");
    if (child.process.connected) child.process.disconnect();
    // It ends by itself, unless something holds it up.
    const timer = setTimeout(() => child.process.kill("SIGKILL"), milliseconds).unref();
    child.process.once("exit", () => clearTimeout(timer));
  };
  const makeIdle = (child: Child): void => {
    if (!children.has(child)) return;
    const left = child.started + most_milliseconds - performance.now();
    if (left <= 0) {
      end(child);
      return;
    }
    child.state = "idle";
    child.timer = setTimeout(() => end(child), Math.min(idle_milliseconds, left)).unref();
  };
  const start = (call: HookCall): void => {
    if (children.size >= MOST_CHILDREN) {
      const [oldest] = [...children].filter(({ state }) => state === "idle");
      if (oldest === undefined) return;
      end(oldest);
    }
    const child = startChild(script, call);
    children.add(child);
    child.process.on("error", () => end(child));
    child.process.once("exit", () => end(child));
    child.process.once("message", () => makeIdle(child));
  };
  return async (call, warm, caller) => {
    if (caller.signal.aborted) return undefined;
    const same = [...children].filter(
      (one) => one.call.variables === call.variables && one.call.cwd === call.cwd,
    );
    const child = same.find(({ state }) => state === "idle");
    if (child === undefined) {
      if (same.every(({ state }) => state !== "starting")) start(call);
      return undefined;
    }
    clearTimeout(child.timer);
    child.state = "busy";
    const { reply, ends } = await ask(child.process, call, warm, caller);
    if (ends === undefined) makeIdle(child);
    else end(child, ends === "now" ? 0 : FAREWELL_MILLISECONDS);
    return reply;
  };
}

/** Starts a child with the variables and the folder of a call, by the Node that the call would start. */
function startChild(script: string, { cwd, variables }: HookCall): Child {
  const started = spawn("node", [script, "hook", SERVE_FLAG, WARM_FLAG, PACKAGE_VERSION], {
    cwd,
    env: variables.environment,
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  // Nobody reads what it writes between calls.
  started.stderr?.on("error", () => undefined).resume();
  return { process: started, call: { cwd, variables }, started: performance.now(), state: "starting" };
}
