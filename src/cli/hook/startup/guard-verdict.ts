import type { NativeReply } from "../../../adapters/adapter.ts";
import { builtin } from "../../../node/builtin.ts";
import { systemCode } from "../../../node/system-code.ts";
import { REFUSED, type Reply } from "./write-reply.ts";

/** How long a refusal is written to an agent that does not read. */
const MOST_MILLISECONDS = 5000;

/**
 * Protects the verdict before hooks run. When the process ends, or something throws where nobody catches, before the
 * verdict is written, the event is refused.
 */
export function guardVerdict(reply: Reply, refuse: (reason: string) => NativeReply): void {
  const refuseNow = (reason: string): void => {
    const { stdout, stderr, exit_code } = refuse(reason);
    reply.state = "written";
    reply.exit_code = exit_code;
    if (stderr !== "") writeNow(reply, 2, `${stderr}\n`);
    if (stdout !== "") writeNow(reply, 1, stdout);
  };
  const failed = (error: unknown): void => {
    if (reply.state !== "open") return;
    const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    refuseNow(`The code of a hook failed outside of its call: ${what}`);
    process.exit(reply.exit_code);
  };
  process.on("uncaughtException", failed);
  process.on("unhandledRejection", failed);
  const lastCode = (): number => {
    if (reply.state === "open") refuseNow("The code of a hook ended tenterhook before it could decide.");
    // A hook that ends the process can change neither the verdict nor what half of one means.
    return reply.state === "writing" ? REFUSED : reply.exit_code;
  };
  process.on("exit", () => {
    process.exitCode = lastCode();
  });
  // It ends the process without the event, and `process.exit` calls it.
  changeArguments(process, ["reallyExit"], () => [lastCode()]);
}

/**
 * Protects the verdict from other people's code in this process: what that writes to stdout goes to stderr, because an
 * agent does not read a verdict after other text.
 */
export function guardStdout(reply: Reply): void {
  const getter = Object.getOwnPropertyDescriptor(process, "stdout")?.get;
  if (getter !== undefined) reply.stdout = () => getter.call(process);
  redirectStdout();
}

/** Writes everything synchronously, unless the agent has gone. */
function writeNow({ write }: Reply, descriptor: 1 | 2, text: string): void {
  let rest = Buffer.from(text);
  const latest = Date.now() + MOST_MILLISECONDS;
  while (rest.length > 0 && Date.now() < latest) {
    try {
      rest = rest.subarray(write(descriptor, rest));
    } catch (error) {
      if (systemCode(error) !== "EAGAIN") return;
    }
  }
}

type Arguments = readonly unknown[];

/**
 * Sends to stderr everything in this process that writes to stdout: `process.stdout`, which consoles use; writes to
 * descriptor 1, as loggers make them; and programs that inherit it. Node can't open descriptor 1 again.
 */
function redirectStdout(): void {
  Object.defineProperty(process, "stdout", {
    configurable: true,
    enumerable: true,
    get: () => process.stderr,
  });
  const childProcess = process.getBuiltinModule("node:child_process");
  changeArguments(builtin.fs, ["write", "writeSync"], ([descriptor, ...rest]) => [
    descriptor === 1 ? 2 : descriptor,
    ...rest,
  ]);
  changeArguments(childProcess, ["spawnSync", "execFileSync", "execSync"], withoutStdout);
  // Every asynchronous function of the module calls this one.
  changeArguments(childProcess.ChildProcess.prototype, ["spawn"], withoutStdout);
  builtin.module.syncBuiltinESMExports();
}

function changeArguments(
  owner: object,
  names: readonly string[],
  change: (given: Arguments) => Arguments,
): void {
  for (const name of names) {
    const original: unknown = Reflect.get(owner, name);
    if (typeof original !== "function") continue;
    const replaced = function (this: unknown, ...given: Arguments): unknown {
      return Reflect.apply(original, this, change(given));
    };
    Reflect.set(owner, name, Object.assign(replaced, original));
  }
}

/** Arguments with options whose `stdio` leads nothing to our descriptor 1. */
function withoutStdout(given: Arguments): Arguments {
  return given.map((one) => {
    if (typeof one !== "object" || one === null || !("stdio" in one)) return one;
    const { stdio } = one;
    if (stdio === "inherit") return { ...one, stdio: [0, 2, 2] };
    if (!Array.isArray(stdio)) return one;
    return { ...one, stdio: stdio.map((target: unknown, at) => (leadsToStdout(target, at) ? 2 : target)) };
  });
}

function leadsToStdout(target: unknown, at: number): boolean {
  if (target === "inherit") return at === 1;
  return target === 1 || (typeof target === "object" && target !== null && Reflect.get(target, "fd") === 1);
}
