import { existsSync, statSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { wakeSession } from "../../../src/adapters/claude/wake.ts";
import { machine, SESSION } from "./support/wake.ts";

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
