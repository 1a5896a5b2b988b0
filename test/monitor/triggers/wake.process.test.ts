import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { wakeSession } from "../../../src/adapters/claude/wake.ts";
import { readOwnFile } from "../../../src/node/files/own-file.ts";
import { newProject } from "../../cli/support/project.ts";
import { CLI } from "../../cli/support/run-cli.ts";
import { endAfterTest, eventually } from "../../support/processes.ts";

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
  it("is woken by a message, once, and the sender knows it", async () => {
    const { environment, folder, waiter, waits, left } = machine();
    const { ended } = waiter();
    await waits();
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(await wakeSession(SESSION, "Go on with the tests.\n$(touch no) `no`", environment)).toBe("woken");
    // Exit code 2 wakes the model, which reads stderr.
    expect(await ended).toEqual({ code: 2, stdout: "", stderr: "Go on with the tests.\n$(touch no) `no`" });
    expect(left()).toEqual([]);
    expect(await wakeSession(SESSION, "Once more.", environment)).toBe("nobody");
  });

  it("has one waiter: an older one ends without waking anybody", async () => {
    const { environment, waiter, waits, isNewest, left } = machine();
    const older = waiter();
    await waits();
    const newer = waiter();
    expect(await older.ended).toEqual({ code: 0, stdout: "", stderr: "" });
    await isNewest(newer.pid);
    expect(await wakeSession(SESSION, "Hello.", environment)).toBe("woken");
    expect(await newer.ended).toMatchObject({ code: 2, stderr: "Hello." });
    expect(left()).toEqual([]);
  });

  it("leaves no waiter behind when it ends and its process goes on, as after /clear", async () => {
    const { waiter, waits, hook, left } = machine();
    const { ended } = waiter();
    await waits();
    await hook({ hook_event_name: "SessionEnd", session_id: SESSION, reason: "clear" });
    expect(await ended).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(left()).toEqual([]);
  });

  it.each([
    ["nobody is at, such as claude -p", { CLAUDE_CODE_SESSION_ATTENDED: "0" }],
    ["says nothing about that", { CLAUDE_CODE_SESSION_ATTENDED: undefined }],
    ["is not named", { CLAUDE_CODE_SESSION_ID: undefined }],
    ["is named like a path", { CLAUDE_CODE_SESSION_ID: "../../x" }],
  ])("has no waiter where it %s", async (_, variables) => {
    const { folder, waiter } = machine();
    expect(await waiter(variables).ended).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(existsSync(folder)).toBe(false);
  });
});

describe("a message to a session", () => {
  it("reaches nobody where no session waits, or its name is no name of one", async () => {
    const { environment } = machine();
    expect(await wakeSession(SESSION, "Hello.", environment)).toBe("nobody");
    expect(await wakeSession("../x", "Hello.", environment)).toBe("nobody");
  });
});
