import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { wakeSession } from "../../../src/adapters/claude/wake.ts";
import { freeze, kill, thaw } from "../../support/faults/kill.ts";
import { endAfterTest, eventually, isAlive } from "../../support/processes.ts";
import { machine, SESSION } from "./support/wake.ts";

describe("a session of Claude Code that waits for its user", () => {
  it("leaves no waiter behind when it is killed", async () => {
    const { environment, waiter, waits } = machine();
    const session = spawn("sleep", ["600"], { stdio: "ignore" });
    endAfterTest(session);
    const { ended } = waiter({ CLAUDE_PID: String(session.pid) });
    await waits();
    const killed = once(session, "exit");
    kill(session);
    await killed;
    expect(await ended).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(await wakeSession(SESSION, "Hello.", environment)).toBe("nobody");
  });
});

describe("a message to a session", () => {
  it("that its waiter could not pass on does not count as read", async () => {
    const { environment, waiter, waits, left } = machine();
    const { pid, stderr, ended } = waiter();
    const failed = expect(ended).rejects.toThrow("Premature close");
    stderr.destroy();
    await waits();
    expect(await wakeSession(SESSION, "Hello.", environment)).toBe("unknown");
    await failed;
    await eventually(() => expect(isAlive(pid)).toBe(false));
    expect(left()).toEqual([]);
  });

  it("to a waiter that another one replaces is taken back, and wakes neither", async () => {
    const { environment, waiter, waits, isNewest, left } = machine();
    const older = waiter();
    await waits();
    freeze(older.pid);
    const sent = wakeSession(SESSION, "To the older one.", environment, { take: 3000 });
    await eventually(() => expect(left().some((name) => name.endsWith(".message"))).toBe(true));
    const newer = waiter();
    await isNewest(newer.pid);
    expect(await sent).toBe("nobody");
    thaw(older.pid);
    expect(await older.ended).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(await wakeSession(SESSION, "To the newer one.", environment)).toBe("woken");
    expect(await newer.ended).toMatchObject({ code: 2, stderr: "To the newer one." });
    expect(left()).toEqual([]);
  });

  it("of a sender that was killed wakes no later waiter", async () => {
    const { folder, environment, waiter, waits, isNewest } = machine();
    const first = waiter();
    await waits();
    kill(first.pid);
    await first.ended;
    writeFileSync(join(folder, `${SESSION}.${first.pid}.message`), "Too late.");
    const second = waiter();
    await isNewest(second.pid);
    expect(await wakeSession(SESSION, "In time.", environment)).toBe("woken");
    expect((await second.ended).stderr).toBe("In time.");
  });

  it("that nobody takes is taken back", async () => {
    const { environment, waiter, waits, left } = machine();
    const { pid, ended } = waiter();
    await waits();
    freeze(pid);
    expect(await wakeSession(SESSION, "Hello.", environment, { take: 300 })).toBe("nobody");
    expect(left()).toEqual([`${SESSION}.waiter`]);
    thaw(pid);
    expect(isAlive(pid)).toBe(true);
    expect(await wakeSession(SESSION, "Hello again.", environment)).toBe("woken");
    expect((await ended).stderr).toBe("Hello again.");
  });
});
