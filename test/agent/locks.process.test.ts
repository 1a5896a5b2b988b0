import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHooks, type HookOptions, ToolDeniedError } from "tenterhook";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { lockFile } from "../../src/node/files/lock.ts";
import { thisProcess } from "../../src/node/identity/process-identity.ts";
import { agentOf, echo, says, scratch, story } from "./support/agents.ts";

beforeEach(() => {
  vi.stubEnv("XDG_STATE_HOME", scratch());
  onTestFinished(() => void vi.unstubAllEnvs());
});

/** A hook set of its own, as another agent would have, with a hook that locks. */
function locking(options: HookOptions) {
  const hooks = createHooks();
  hooks.on("PreToolUse", { name: "turns", ...options }, () => undefined);
  return hooks;
}

/** A call that runs until it is released. */
function call(
  hooks: ReturnType<typeof createHooks>,
  agent_id: string,
  tool_input: Record<string, unknown> = {},
) {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const state = { began: false };
  const result = hooks.toolCall({
    agent_id,
    tool_name: "Write",
    tool_input,
    cwd: scratch(),
    execute: async () => {
      state.began = true;
      await released;
      return agent_id;
    },
  });
  result.catch(() => {});
  return { state, result, release };
}

const soon = () => new Promise((resolve) => setTimeout(resolve, 60));

describe("a hook with locks", () => {
  it("lets another agent's matching call wait until the first has ended", async () => {
    const first = call(locking({ locks: "deploy" }), "a");
    await expect.poll(() => first.state.began).toBe(true);
    const second = call(locking({ locks: "deploy" }), "b");
    await soon();
    expect(second.state.began).toBe(false);
    first.release();
    second.release();
    expect([await first.result, await second.result]).toEqual(["a", "b"]);
  });

  it("refuses it after the hook's timeout, and says who holds the lock", async () => {
    const first = call(locking({ locks: "deploy" }), "a");
    await expect.poll(() => first.state.began).toBe(true);
    const second = call(locking({ locks: "deploy", timeout: 0.05 }), "b");
    await expect(second.result).rejects.toThrow(
      'Hook "turns" lets one call at a time work with the name "deploy". a (Write) holds it. Try again later.',
    );
    await expect(second.result).rejects.toBeInstanceOf(ToolDeniedError);
    expect(second.state.began).toBe(false);
    first.release();
    await first.result;
  });

  it("leaves calls alone that it does not match, and other names", async () => {
    const first = call(locking({ locks: "deploy" }), "a");
    await expect.poll(() => first.state.began).toBe(true);
    const others = [
      call(locking({ locks: "deploy", tools: ["Bash"] }), "b"),
      call(locking({ locks: "release" }), "c"),
    ];
    for (const other of others) other.release();
    expect(await Promise.all(others.map(({ result }) => result))).toEqual(["b", "c"]);
    first.release();
    await first.result;
  });

  it("locks the files that a call names, under all their names", async () => {
    const folder = scratch();
    mkdirSync(join(folder, "real"));
    writeFileSync(join(folder, "real/a.txt"), "");
    symlinkSync(join(folder, "real"), join(folder, "link"));
    const input = (name: string) => ({ file_path: join(folder, name) });
    const first = call(locking({ locks: "file" }), "a", input("real/a.txt"));
    await expect.poll(() => first.state.began).toBe(true);
    const other = call(locking({ locks: "file" }), "b", input("real/b.txt"));
    other.release();
    expect(await other.result).toBe("b");
    const same = call(locking({ locks: "file", timeout: 0.05 }), "c", input("link/a.txt"));
    await expect(same.result).rejects.toThrow(/a \(Write\) holds it/);
    first.release();
    await first.result;
  });

  it("releases its lock when the tool fails", async () => {
    const hooks = locking({ locks: "deploy" });
    const failing = hooks.toolCall({
      tool_name: "Write",
      tool_input: {},
      execute: () => {
        throw new Error("no");
      },
    });
    await expect(failing).rejects.toThrow("no");
    const next = call(locking({ locks: "deploy" }), "b");
    next.release();
    expect(await next.result).toBe("b");
  });

  it("takes over the lock of a process that has ended", async () => {
    const { pid } = spawnSync("true");
    const file = lockFile('hook name "deploy"');
    writeFileSync(file, `${JSON.stringify({ ...thisProcess(), pid, started: "0" })}\nkilled (Bash)`);
    const next = call(locking({ locks: "deploy" }), "b");
    next.release();
    expect(await next.result).toBe("b");
  });

  it("holds in our own agent, whose refused call says why", async () => {
    const first = call(locking({ locks: "deploy" }), "a");
    await expect.poll(() => first.state.began).toBe(true);
    const { agent } = agentOf([{ tool_calls: [says("x")] }], {
      hooks: locking({ locks: "deploy", timeout: 0.05 }),
      tools: [echo],
    });
    await agent.run("go");
    expect(story(agent.transcript())).toContain(
      'tool fails: Hook "turns" lets one call at a time work with the name "deploy". a (Write) holds it. Try again later.',
    );
    first.release();
    await first.result;
    await agent.close();
  });

  it.each([
    ["another event", "PostToolUse", {}],
    ["async", "PreToolUse", { async: true }],
    ["observe", "PreToolUse", { observe: true }],
    ["shadow mode", "PreToolUse", { mode: "shadow" }],
  ] as const)("can't have %s", (_, event, options) => {
    expect(() =>
      createHooks().on(event, { name: "turns", locks: "deploy", ...options }, () => undefined),
    ).toThrow(
      'Hook "turns": locks is for hooks on PreToolUse alone, without async, observe and mode: shadow.',
    );
  });
});
