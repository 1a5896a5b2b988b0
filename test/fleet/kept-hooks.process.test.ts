import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { keptHooks } from "../../src/cli/commands/team/fleet/kept-hooks.ts";
import { internals } from "../../src/core/internals.ts";
import type { OpenedHooks } from "../../src/project.ts";
import { newProject } from "../cli/support/project.ts";
import { bashCall } from "../support/events.ts";
import { rulesHook } from "../support/hook-definitions.ts";
import { isAlive } from "../support/processes.ts";
import { notingProgram } from "./support/noting-program.ts";

const signal = new AbortController().signal;

const rule = (words: string) =>
  rulesHook(`no-${words}`, `args.command contains "${words}" -> deny("The team says no.")`);

/** What a worker keeps, in folders of a user who has these hooks. */
function worker(...definitions: readonly object[]) {
  const { folder, environment, write } = newProject();
  const configure = (...hooks: readonly object[]): void => {
    mkdirSync(join(folder, "config/tenterhook"), { recursive: true });
    writeFileSync(
      join(folder, "config/tenterhook/hooks.yaml"),
      JSON.stringify({ hooks: { definitions: hooks } }),
    );
  };
  configure(...definitions);
  const kept = keptHooks(environment, () => {});
  onTestFinished(() => kept.close());
  const newFolder = (name: string): string => {
    const made = join(folder, name);
    mkdirSync(join(made, ".git"), { recursive: true });
    return made;
  };
  return { kept, configure, newFolder, folder, write };
}

/** A moment that the test chooses. */
function moment() {
  let come = (): void => {};
  const over = new Promise<void>((resolve) => {
    come = resolve;
  });
  return { over, come };
}

/** Registers a hook whose end takes until a moment, and counts how often it was ended. */
function countEnds({ hooks }: OpenedHooks, until: Promise<void> = Promise.resolve()) {
  const ends = { count: 0 };
  const close = (): Promise<void> => {
    ends.count += 1;
    return until;
  };
  internals(hooks).register("PreToolUse", {}, { type: "function", run: () => undefined, close });
  return ends;
}

/** Lets everything go on that waits for nothing from outside. */
async function goOn(): Promise<void> {
  for (let times = 0; times < 20; times += 1) await turn();
}

describe("the hooks that a worker keeps for a folder", () => {
  it("end their programs with the last run that uses them, and start again for the next", async () => {
    const { kept, configure, newFolder, folder, write } = worker();
    const noted = join(folder, "pids.txt");
    const program = write("hook.mjs", notingProgram(noted));
    const matcher = { events: ["PreToolUse"] };
    const command = [process.execPath, program];
    configure({ name: "program", type: "command", mode: "persistent", matcher, command });
    const living = (): readonly boolean[] =>
      readFileSync(noted, "utf8").trim().split("\n").map(Number).map(isAlive);
    const place = newFolder("a");
    const one = await kept.open(place, signal);
    const other = await kept.open(place, signal);
    expect(other.hooks).toBe(one.hooks);
    await one.hooks.fire(bashCall());
    await one.close();
    expect(living()).toEqual([true]);
    await other.hooks.fire(bashCall());
    expect(living()).toEqual([true]);
    await other.close();
    expect(living()).toEqual([false]);
    const next = await kept.open(place, signal);
    await next.hooks.fire(bashCall());
    expect(living()).toEqual([false, true]);
    await next.close();
    expect(living()).toEqual([false, false]);
  });

  it("obey a file that has changed from the next run on", async () => {
    const { kept, configure, newFolder } = worker(rule("one"));
    const place = newFolder("a");
    const begun = async () => {
      const { hooks, close } = await kept.open(place, signal);
      const names = hooks.list().map(({ name }) => name);
      const decided = [await hooks.fire(bashCall("one")), await hooks.fire(bashCall("two"))];
      await close();
      return [names.filter((name) => name.startsWith("no-")), decided.map(({ action }) => action)];
    };
    expect(await begun()).toEqual([["no-one"], ["deny", "continue"]]);
    configure(rule("two"));
    expect(await begun()).toEqual([["no-two"], ["continue", "deny"]]);
  });

  it("are closed when 20 other folders without a run were used later, unless a run is there", async () => {
    const { kept, newFolder } = worker(rule("one"));
    const used = await kept.open(newFolder("used"), signal);
    const opened: OpenedHooks[] = [];
    for (let number = 0; number < 22; number += 1) {
      const one = await kept.open(newFolder(`f${number}`), signal);
      opened.push(one);
      await one.close();
    }
    const areOpen = opened.map(({ hooks }) => hooks.list().length > 0);
    expect(areOpen).toEqual([false, false, ...Array.from({ length: 20 }, () => true)]);
    expect((await used.hooks.fire(bashCall("one"))).action).toBe("deny");
    await used.close();
    const again = await kept.open(newFolder("f0"), signal);
    expect((await again.hooks.fire(bashCall("one"))).action).toBe("deny");
    await again.close();
  });
});

describe("a run that ends", () => {
  it("waits for its async hooks, also when others use the same hooks and go on", async () => {
    const { kept, newFolder } = worker();
    const place = newFolder("a");
    const one = await kept.open(place, signal);
    const other = await kept.open(place, signal);
    const [own, others] = [moment(), moment()];
    const told: string[] = [];
    one.hooks.on("PreToolUse", { async: true }, async ({ session_id }) => {
      await (session_id === "one" ? own : others).over;
      told.push(`hook of ${session_id}`);
    });
    await one.hooks.fire(bashCall("ls", { session_id: "one" }));
    const closing = one.close().then(() => told.push("closed"));
    await goOn();
    await other.hooks.fire(bashCall("ls", { session_id: "other" }));
    own.come();
    await closing;
    expect(told).toEqual(["hook of one", "closed"]);
    others.come();
    await other.close();
    expect(told).toEqual(["hook of one", "closed", "hook of other"]);
  });

  it("keeps no other from beginning while an async hook of its goes on", async () => {
    const { kept, newFolder } = worker();
    const place = newFolder("a");
    const one = await kept.open(place, signal);
    const ends = countEnds(one);
    const slow = moment();
    const off = one.hooks.on("PreToolUse", { async: true }, () => slow.over);
    await one.hooks.fire(bashCall());
    off();
    const closing = one.close();
    await goOn();
    const next = await kept.open(place, signal);
    slow.come();
    await closing;
    expect(ends.count).toBe(0);
    await next.close();
    expect(ends.count).toBe(1);
  });
});

describe("a run that can't begin", () => {
  it("does not wait for the end of the programs of another when it is told to end", async () => {
    const { kept, newFolder } = worker();
    const place = newFolder("a");
    const one = await kept.open(place, signal);
    const slow = moment();
    const ends = countEnds(one, slow.over);
    const closing = one.close();
    await goOn();
    const told = new AbortController();
    const opening = kept.open(place, told.signal);
    told.abort(new Error("Told to end."));
    await expect(opening).rejects.toThrow("Told to end.");
    slow.come();
    await closing;
    const before = ends.count;
    const next = await kept.open(place, signal);
    await next.close();
    expect(ends.count).toBe(before + 1);
  });

  it("does not count as one that uses them", async () => {
    const { kept, configure, newFolder } = worker(rule("one"));
    const place = newFolder("a");
    const one = await kept.open(place, signal);
    const ends = countEnds(one);
    const off = one.onChange(() => {
      throw new Error("It can't be read.");
    });
    configure(rule("two"));
    await expect(kept.open(place, signal)).rejects.toThrow("It can't be read.");
    off();
    expect(ends.count).toBe(0);
    await one.close();
    expect(ends.count).toBe(1);
    const next = await kept.open(place, signal);
    expect((await next.hooks.fire(bashCall("two"))).action).toBe("deny");
    await next.close();
    expect(ends.count).toBe(2);
  });
});
