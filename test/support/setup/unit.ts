// Unit tests start no process, and the files of a worker share its modules and its globals: each has to leave them as
// they were.
import childProcess, { ChildProcess } from "node:child_process";
import { syncBuiltinESMExports } from "node:module";
import { afterAll, afterEach, expect } from "vitest";
// Loaded before the first test. A file that ends while a module is still loading would leave the worker's later files with a
// module that can't be loaded any more.
import "../../../src/agent.ts";
import "../../../src/config.ts";
import "../../../src/index.ts";
import "../../../src/stores.ts";
import "../../../src/rules/shell/analyse.ts";

const MESSAGE = "A unit test starts no process. Name the file *.process.test.ts.";
let started = false;

const refusal = {
  value: () => {
    started = true;
    throw new Error(MESSAGE);
  },
  configurable: true,
};

/** `tenterhook check` has a shell read hooks (`-n`). It finds none here, which it takes for nothing wrong. */
function withoutShell(this: ChildProcess, { args }: { readonly args: readonly string[] }): void {
  if (args[1] !== "-n") refusal.value();
  const missing = Object.assign(new Error("There is no shell in unit tests."), { code: "ENOENT" });
  process.nextTick(() => this.emit("error", missing));
}

// Every asynchronous start of Node goes through this method.
Object.defineProperty(ChildProcess.prototype, "spawn", { ...refusal, value: withoutShell });
for (const name of ["spawnSync", "execFileSync", "execSync"])
  Object.defineProperty(childProcess, name, refusal);
syncBuiltinESMExports();

// What a test calls may have caught the error.
afterEach(() => {
  if (started) throw new Error(MESSAGE);
});

const globals = () => ({ environment: { ...process.env }, cwd: process.cwd() });
// No program is found, whatever this machine has; the shorter it is, the less is searched.
process.env.PATH = "/usr/bin:/bin";

const before = globals();

afterAll(() =>
  expect(globals(), "variables and working folder after the tests of this file").toEqual(before),
);
