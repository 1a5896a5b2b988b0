import { describe, expect, it } from "vitest";
import { MachineFaults } from "../../src/fleet/cordon.ts";
import type { AttemptEnd } from "../../src/fleet/run.ts";

const ANY = new AbortController().signal;
const LASTING: AttemptEnd = { state: "not here", why: "No folder.", fault: { isMended: async () => false } };
const KEY_MISSING: AttemptEnd = { state: "not here", why: "No key." };
const OVERLOADED: AttemptEnd = { state: "again", error: "529", progressed: false };
const DONE: AttemptEnd = { state: "done", result: { text: "Over." } };

describe("the faults of a machine", () => {
  it("are too many with the third run in a row", () => {
    const faults = new MachineFaults();
    expect(["a", "b", "c"].map((run) => faults.note(run, LASTING))).toEqual([false, false, true]);
  });

  it("are counted once for a run that comes back", () => {
    const faults = new MachineFaults();
    expect(["a", "a", "a", "a"].map((run) => faults.note(run, LASTING))).toEqual(Array(4).fill(false));
  });

  it.each([
    { what: "a run that was done", end: DONE },
    { what: "a provider that was overloaded", end: OVERLOADED },
  ])("begin anew after $what", ({ end }) => {
    const faults = new MachineFaults();
    faults.note("a", LASTING);
    faults.note("b", LASTING);
    faults.note("c", end);
    expect(["d", "e", "f"].map((run) => faults.note(run, LASTING))).toEqual([false, false, true]);
  });

  it("are none of a provider whose key is missing here", () => {
    const faults = new MachineFaults();
    expect(["a", "b", "c", "d"].map((run) => faults.note(run, KEY_MISSING))).toEqual(Array(4).fill(false));
  });

  it("are over once one of them is mended", async () => {
    let isMended = false;
    const faults = new MachineFaults();
    for (const run of ["a", "b", "c"])
      faults.note(run, { ...LASTING, fault: { isMended: async () => isMended } });
    expect(await faults.mayGoOn(ANY)).toBe(false);
    isMended = true;
    expect(await faults.mayGoOn(ANY)).toBe(true);
    expect(faults.note("d", LASTING)).toBe(false);
  });

  it("that last let one run through after half a minute, and the next one later", async () => {
    let now = 0;
    const faults = new MachineFaults(() => now);
    for (const run of ["a", "b", "c"]) faults.note(run, LASTING);
    now = 29_000;
    expect(await faults.mayGoOn(ANY)).toBe(false);
    now = 31_000;
    expect(await faults.mayGoOn(ANY)).toBe(true);
    expect(faults.note("d", LASTING)).toBe(true);
    now += 31_000;
    expect(await faults.mayGoOn(ANY)).toBe(false);
    now += 31_000;
    expect(await faults.mayGoOn(ANY)).toBe(true);
  });
});
