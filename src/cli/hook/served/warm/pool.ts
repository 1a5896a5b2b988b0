import { type ChildProcess, spawn } from "node:child_process";
import { isRecord } from "../../../../core/base/json.ts";
import { SERVE_FLAG, WARM_FLAG } from "../../startup/flags.ts";
import type { HookCall } from "../read-call.ts";

/** Each holds the processes of its hooks. */
const MOST_CHILDREN = 8;
/** How long a child has to end the processes of its hooks. */
const FAREWELL_MILLISECONDS = 2000;
/** How often the client hears that its call is being decided. It waits for two seconds. */
const SIGN_MILLISECONDS = 500;

export interface WarmOptions {
  /** The program `tenterhook`. */
  readonly script: string;
  /** How long a child may wait for a call. */
  readonly idle_milliseconds?: number;
  /** How long a child may live: not every file that a program uses is known. */
  readonly most_milliseconds?: number;
}

/** Who waits for a reply. */
export interface Caller {
  /** Aborted when nobody waits any more. */
  readonly signal: AbortSignal;
  /** Called while the call is being decided. */
  readonly onSign: () => void;
  /** How long a child may show no sign: its hooks have no more time than that. */
  readonly silent_milliseconds: number;
}

interface Child {
  readonly process: ChildProcess;
  readonly call: Pick<HookCall, "cwd" | "variables">;
  readonly started: number;
  state: "starting" | "idle" | "busy";
  timer?: NodeJS.Timeout;
}

/** Decides a call in a child; `undefined` when a process of its own must decide it. Never rejects. */
export type DecideWarm = (call: HookCall, caller: Caller) => Promise<string | undefined>;

/**
 * Children that keep the processes of persistent hooks between calls. Each was started with the variables and the folder
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
    if (performance.now() - child.started > most_milliseconds) {
      end(child);
      return;
    }
    child.state = "idle";
    child.timer = setTimeout(() => end(child), idle_milliseconds).unref();
  };
  const start = (call: HookCall): void => {
    if (children.size >= MOST_CHILDREN) {
      const [oldest] = [...children].filter(({ state }) => state === "idle");
      if (oldest === undefined) return;
      end(oldest);
    }
    const { cwd, variables } = call;
    const started = spawn(process.execPath, [script, "hook", SERVE_FLAG, WARM_FLAG], {
      cwd,
      env: variables.environment,
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    const child: Child = {
      process: started,
      call: { cwd, variables },
      started: performance.now(),
      state: "starting",
    };
    children.add(child);
    started.on("error", () => end(child));
    started.once("exit", () => end(child));
    started.once("message", () => makeIdle(child));
  };
  return async (call, caller) => {
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
    const said = await ask(child.process, call, caller);
    if (said === "silent") end(child, 0);
    else if (said === "over" || said.ends) end(child);
    else makeIdle(child);
    return typeof said === "string" ? undefined : said.reply;
  };
}

interface Said {
  readonly reply?: string;
  /** True when something has changed: the child decides no more. */
  readonly ends: boolean;
}

/** `over` when the child ends first, or nobody waits any more. */
function ask(
  child: ChildProcess,
  { id, text }: HookCall,
  { signal, onSign, silent_milliseconds }: Caller,
): Promise<Said | "over" | "silent"> {
  return new Promise((resolve) => {
    const signs = setInterval(onSign, SIGN_MILLISECONDS);
    const silence = setTimeout(() => stop("silent"), silent_milliseconds);
    const stop = (said: Said | "over" | "silent"): void => {
      clearInterval(signs);
      clearTimeout(silence);
      child.off("message", onMessage);
      child.off("exit", onEnd);
      signal.removeEventListener("abort", onEnd);
      resolve(said);
    };
    const onEnd = (): void => stop("over");
    const onMessage = (message: unknown): void => {
      if (!isRecord(message)) return;
      const { ends, reply } = message;
      if (ends === undefined) silence.refresh();
      else stop({ ends: ends === true, ...(typeof reply === "string" ? { reply } : {}) });
    };
    child.on("message", onMessage);
    child.once("exit", onEnd);
    signal.addEventListener("abort", onEnd, { once: true });
    if (signal.aborted) stop("over");
    else child.send({ id, text }, (error) => void (error && stop("over")));
  });
}
