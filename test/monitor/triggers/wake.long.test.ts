import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { wakeSession } from "../../../src/adapters/claude/wake.ts";
import { readOwnFile } from "../../../src/node/files/own-file.ts";
import { newProject } from "../../cli/support/project.ts";
import { CLI } from "../../cli/support/run-cli.ts";
import { freeze, kill, thaw } from "../../support/faults/kill.ts";
import { endAfterTest, eventually, isAlive } from "../../support/processes.ts";

const SESSION = "f37bae16-f6a5-401a-8522-0d181c80636c";

/** A user's machine on which sessions of Claude Code run their background hook. */
function machine() {
  const { environment, write, hook, folder: root } = newProject();
  write("../config/tenterhook/hooks.yaml", stringify({ monitor: { on_idle: "done" } }));
  const folder = join(root, "state/tenterhook/monitor/wake");
  const waiter = (variables: NodeJS.ProcessEnv = {}) => {
    const child = spawn(CLI, ["agent", "wake"], {
      env: {
        ...environment,
        CLAUDE_CODE_SESSION_ID: SESSION,
        CLAUDE_CODE_SESSION_ATTENDED: "1",
        CLAUDE_PID: String(process.pid),
        ...variables,
      },
    });
    endAfterTest(child);
    child.stdin.on("error", () => undefined);
    child.stdin.end(JSON.stringify({ session_id: SESSION, hook_event_name: "Stop" }));
    const ended = Promise.all([once(child, "close"), text(child.stdout), text(child.stderr)]).then(
      ([[code], stdout, stderr]) => ({ code, stdout, stderr }),
    );
    return { pid: child.pid ?? 0, stderr: child.stderr, ended };
  };
  const waiting = () => readOwnFile(join(folder, `${SESSION}.waiter`), 100).text;
  const waits = () => eventually(() => expect(waiting()).toBeDefined());
  const isNewest = (pid: number) => eventually(() => expect(waiting()).toBe(`${pid}\n`));
  const left = () => readdirSync(folder).filter((name) => name.startsWith(SESSION));
  return { environment, hook, folder, waiter, waits, isNewest, left };
}

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
});

describe("a message to a session", () => {
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
