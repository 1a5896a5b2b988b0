import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually, isAlive } from "../support/processes.ts";

const folder = mkdtempSync(join(tmpdir(), "tenterhook-end-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeAll(async () => {
  await build({
    stdin: {
      contents: 'export * from "./run-program.ts"; export * from "./running.ts";',
      resolveDir: fileURLToPath(new URL("../../src/node/process", import.meta.url)),
    },
    outfile: join(folder, "run-program.mjs"),
    bundle: true,
    format: "esm",
    platform: "node",
  });
});

/** A process of ours that runs programs: one in its group, one that left it, one that ignores signals. */
const RUNNING = `
import { runProgram } from "./run-program.mjs";
const line = "trap '' TERM INT HUP; sleep 300 & echo $!; setsid sh -c 'trap \\"\\" TERM INT HUP; echo $$; exec sleep 300' & wait; sleep 300";
export const running = runProgram({
  file: "/bin/sh", args: ["-c", line], cwd: "/", environment: process.env,
  signal: new AbortController().signal, maxOutputBytes: 1000,
  onOutput: (text) => process.stdout.write(text),
});
process.stdin.resume();
const told = new Promise((resolve) => process.stdin.once("data", resolve));
`;

/** Starts such a process, lets it go on with `ending` once its programs run, and answers how it ended and who is left. */
async function ended(ending: string, end: (pid: number) => void = () => undefined) {
  const file = join(folder, `${Math.random()}.mjs`);
  writeFileSync(file, `${RUNNING}\nawait told;\n${ending}`);
  const child = spawn(process.execPath, [file], { stdio: ["pipe", "pipe", "ignore"] });
  const pids: number[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    pids.push(Number(line));
    if (pids.length === 2) break;
  }
  expect(pids.map(isAlive)).toEqual([true, true]);
  const exit = once(child, "exit");
  child.stdin.write("go\n");
  if (child.pid !== undefined) end(child.pid);
  const [code, signal] = await exit;
  child.stdin.destroy();
  child.stdout.destroy();
  await eventually(() => expect(pids.filter(isAlive)).toEqual([]));
  return signal ?? code;
}

describe("programs that run end with our process", () => {
  it("programs that run end with our process when it exits", async () => {
    expect(await ended("process.exit(3)")).toBe(3);
  });

  it("programs that run end with our process when it throws", async () => {
    expect(await ended('throw new Error("x")')).toBe(1);
  });

  it.each(["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT", "SIGXCPU"] as const)(
    "when %s ends it, which it still does",
    async (signal) => {
      expect(await ended("", (pid) => process.kill(pid, signal))).toBe(signal);
    },
  );

  it("when somebody else listens to the signal, who then decides over the process", async () => {
    const ending =
      'process.on("SIGTERM", () => running.then(({ exit_signal }) => process.exit(exit_signal === "SIGKILL" ? 42 : 1)));\nprocess.kill(process.pid, "SIGTERM");';
    expect(await ended(ending)).toBe(42);
  });

  it("when a listener ends the process only if it is the only one", async () => {
    const ending = `process.on("SIGTERM", function only() {
      if (process.listenerCount("SIGTERM") !== 1) return;
      process.off("SIGTERM", only);
      process.kill(process.pid, "SIGTERM");
    });
    process.kill(process.pid, "SIGTERM");`;
    expect(await ended(ending)).toBe("SIGTERM");
  });
});

it("programs that are let end are not ended by a signal that comes after they have started", async () => {
  const ending = `const { letProgramsEnd } = await import("./run-program.mjs");
    letProgramsEnd();
    process.on("SIGTERM", () => setTimeout(() => process.exit(ended ? 1 : 42), 300));
    let ended = false;
    running.then(() => { ended = true; });
    process.kill(process.pid, "SIGTERM");`;
  expect(await ended(ending)).toBe(42);
});

/** Counts the listeners before, during and after a run, in a process that nobody else listens in. */
const COUNTING = `
import { writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { runProgram } from "./run-program.mjs";
const count = () => ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGXCPU", "exit"].map((name) => process.listenerCount(name)).join("");
// Node itself listens to the exit while it loads a module.
async function run() {
  const before = count();
  await runProgram({
    file: "/bin/sh", args: ["-c", "echo x; until [ -e counted ]; do sleep 0.05; done"], cwd: process.cwd(), environment: process.env,
    signal: new AbortController().signal, maxOutputBytes: 10,
    onOutput: () => {
      console.log("before", before, "during", count());
      writeFileSync("counted", "");
    },
  });
  while (count() !== before) await pause(20);
  console.log("after", count());
}
setImmediate(run);
`;

it("nobody listens to signals for long while nothing runs", async () => {
  writeFileSync(join(folder, "counting.mjs"), COUNTING);
  const { stdout } = await promisify(execFile)(process.execPath, ["counting.mjs"], {
    cwd: folder,
    timeout: 60_000,
  });
  expect(stdout).toBe("before 000000 during 111111\nafter 000000\n");
});
