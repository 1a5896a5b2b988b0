import { builtin } from "../../../node/builtin.ts";

type Arguments = readonly unknown[];

/**
 * Has everything in this process that means to write to stdout write to stderr instead: `process.stdout`, which consoles
 * use; writes to descriptor 1, as loggers make them; and programs that are started to inherit it. What is said to an agent
 * must stand there alone. Node has no way to give descriptor 1 itself to another file.
 */
export function spareStdout(): void {
  Object.defineProperty(process, "stdout", {
    configurable: true,
    enumerable: true,
    get: () => process.stderr,
  });
  const { fs } = builtin;
  const childProcess = process.getBuiltinModule("node:child_process");
  replace(fs, ["write", "writeSync"], ([descriptor, ...rest]) => [
    descriptor === 1 ? 2 : descriptor,
    ...rest,
  ]);
  replace(childProcess, ["spawnSync", "execFileSync", "execSync"], withoutStdout);
  // All that does not wait comes by here.
  replace(childProcess.ChildProcess.prototype, ["spawn"], withoutStdout);
  builtin.module.syncBuiltinESMExports();
}

/** Puts other arguments in the place of those that functions are called with. */
function replace(owner: object, names: readonly string[], change: (given: Arguments) => Arguments): void {
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
