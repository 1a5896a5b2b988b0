// Plants delays, for `scripts/delays.mjs`: at most 20 in a test, of up to a second, where a process meets the outside: before
// it starts a program, connects or writes to a socket, renames a file or begins to watch one. The clock and the one-time timers of
// the test's process stand still meanwhile, so only what depends on an order that nobody promised, or on speed, goes wrong.
import { ChildProcess } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { Socket } from "node:net";
import { promisify } from "node:util";

const MOST_DELAYS = 20;
const LONGEST_MILLISECONDS = 1000;
/** How many of the places at which a test passes have a delay, in percent. */
const SHARE = 30;

const seed = process.env.TEST_DELAYS ?? "";
const sleeper = new Int32Array(new SharedArrayBuffer(4));
/** For how long this process has stood still. */
let stopped = 0;
let test = "";
let passed = 0;
let left = 0;

/** The delays that follow belong to this test. */
export function plantFor(name: string): void {
  test = name;
  passed = 0;
  left = MOST_DELAYS;
}

/** Random, and the same for the same seed, test and place. */
function chance(what: string, below: number): number {
  const hash = createHash("sha256").update(`${seed} ${test} ${passed} ${what}`).digest();
  return hash.readUInt32LE() % below;
}

function maybeWait(place: string): void {
  if (left === 0) return;
  passed += 1;
  if (chance(place, 100) >= SHARE) return;
  left -= 1;
  const milliseconds = chance(`${place} long`, LONGEST_MILLISECONDS);
  Atomics.wait(sleeper, 0, 0, milliseconds);
  stopped += milliseconds;
}

/** Puts a possible delay before a method. */
function plant(owner: object, names: readonly string[]): void {
  for (const name of names) {
    const own: unknown = Reflect.get(owner, name);
    if (typeof own !== "function") throw new Error(`There is no ${name} to delay.`);
    Reflect.set(owner, name, function (this: unknown, ...args: unknown[]) {
      maybeWait(name);
      return Reflect.apply(own, this, args);
    });
  }
}

plant(ChildProcess.prototype, ["spawn"]);
plant(Socket.prototype, ["connect", "write"]);
plant(fs, ["rename", "renameSync", "watch"]);
plant(fs.promises, ["rename"]);

const now = Date.now.bind(Date);
Date.now = () => now() - stopped;
Reflect.set(
  globalThis,
  "Date",
  new Proxy(Date, {
    construct: (own, given, made) => Reflect.construct(own, given.length === 0 ? [Date.now()] : given, made),
  }),
);
const elapsed = performance.now.bind(performance);
performance.now = () => elapsed() - stopped;

// A timer runs for as long as that clock says.
const { setTimeout: start } = globalThis;
function startByClock(run: (...args: unknown[]) => void, milliseconds?: number, ...args: unknown[]) {
  let before = stopped;
  const timer = start(() => {
    const missed = stopped - before;
    if (missed <= 0) return run(...args);
    before = stopped;
    Reflect.set(timer, "_idleTimeout", missed);
    timer.refresh();
  }, milliseconds);
  return timer;
}
Reflect.set(startByClock, promisify.custom, Reflect.get(start, promisify.custom));
Reflect.set(globalThis, "setTimeout", startByClock);

syncBuiltinESMExports();
