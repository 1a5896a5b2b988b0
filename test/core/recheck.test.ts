import { allow, ask, context, createHooks, deny, rewrite, userMessage } from "tenterhook";
import { describe, expect, it } from "vitest";
import { bashCall, HERE } from "../support/events.ts";

describe("recheck after a rewrite", () => {
  it("asks a gate whose matcher missed the old input", async () => {
    const hooks = createHooks();
    hooks.on("PreToolUse", { name: "secrets", priority: 1, path_patterns: ["*.env"] }, () => deny("secret"));
    hooks.on("PreToolUse", { name: "mover", priority: 2 }, () => rewrite({ file_path: "/project/.env" }));
    const decision = await hooks.fire(
      bashCall("", { tool_name: "Read", tool_input: { file_path: "/project/a.txt" } }),
    );
    expect(decision).toMatchObject({ action: "deny", reason: "secret" });
    expect(decision.runs.map((run) => [run.name, run.recheck])).toEqual([
      ["mover", undefined],
      ["secrets", true],
    ]);
  });

  it("asks parallel gates at the same time", async () => {
    const hooks = createHooks({ timeout: 30 });
    let waiting = 0;
    let release = () => {};
    const together = new Promise<void>((resolve) => {
      release = resolve;
    });
    for (const name of ["a", "b", "c"]) {
      hooks.on("PreToolUse", { name, parallel: true }, async (_event, { recheck }) => {
        if (recheck !== true) return undefined;
        waiting += 1;
        if (waiting === 3) release();
        await together;
        return name === "b" ? deny("Not like this.") : undefined;
      });
    }
    hooks.on("PreToolUse", { name: "rewriter", recheck: false }, () => rewrite({ command: "pwd" }));
    const { action, reason, runs } = await hooks.fire(bashCall("ls"));
    expect([action, reason]).toEqual(["deny", "Not like this."]);
    expect(runs.flatMap((run) => (run.recheck === true ? [run.name] : []))).toEqual(["a", "b", "c"]);
  });

  it("does not ask a gate again that judged the final input, compared by structure", async () => {
    const hooks = createHooks();
    hooks.on("PreToolUse", { name: "rewriter", recheck: false }, () => rewrite({ b: [{ x: 1 }], a: 1 }));
    hooks.on("PreToolUse", { name: "same", recheck: false }, () => rewrite({ a: 1, b: [{ x: 1 }] }));
    hooks.on("PreToolUse", { name: "gate" }, () => undefined);
    const { runs } = await hooks.fire(bashCall());
    expect(runs.map((run) => [run.name, run.recheck])).toEqual([
      ["rewriter", undefined],
      ["same", undefined],
      ["gate", undefined],
    ]);
  });

  it("counts only action and reason", async () => {
    const hooks = createHooks();
    let asked = 0;
    hooks.on("PreToolUse", (event) => {
      asked += 1;
      return [rewrite({ command: `${event.tool_input.command}+` }), context("once"), userMessage("once")];
    });
    const decision = await hooks.fire(bashCall("x"));
    expect(asked).toBe(2);
    expect(decision.input).toEqual({ command: "x+" });
    expect([decision.context.length, decision.user_messages.length]).toEqual([1, 1]);
  });

  it("voids an allow given to an older input, and keeps one given to the final one", async () => {
    const hooks = createHooks();
    hooks.on("PreToolUse", { name: "lenient", priority: 1 }, (event) =>
      event.tool_input.command === "ls" ? allow() : undefined,
    );
    const off = hooks.on("PreToolUse", { priority: 2, recheck: false }, () => rewrite({ command: "pwd" }));
    expect((await hooks.fire(bashCall("ls"))).action).toBe("continue");
    off();
    hooks.on("PreToolUse", { priority: 2, recheck: false }, () => rewrite({ command: "ls" }));
    expect((await hooks.fire(bashCall("cat"))).action).toBe("allow");
  });

  it("keeps a first-pass ask and is skipped after a deny", async () => {
    const hooks = createHooks();
    hooks.on("PreToolUse", { name: "asker" }, (event) =>
      event.tool_input.command === "a" ? ask("sure?") : undefined,
    );
    hooks.on("PreToolUse", { name: "rewriter", recheck: false }, () => rewrite({ command: "b" }));
    expect(await hooks.fire(bashCall("a"))).toMatchObject({ action: "ask", reason: "sure?" });
    hooks.on("PreToolUse", { name: "denier" }, () => deny("no"));
    const { runs } = await hooks.fire(bashCall("a"));
    expect(runs.some((run) => run.recheck)).toBe(false);
  });

  it("leaves out hooks that say so, observers and async hooks", async () => {
    const hooks = createHooks();
    hooks.on("PreToolUse", { name: "vouched", recheck: false }, () => undefined);
    hooks.on("PreToolUse", { name: "watcher", observe: true }, () => undefined);
    hooks.on("PreToolUse", { name: "beside", async: true }, () => undefined);
    hooks.on("PreToolUse", { name: "rewriter" }, () => rewrite({ command: "b" }));
    const { runs } = await hooks.fire(bashCall("a"));
    expect(runs.filter((run) => run.recheck).map((run) => run.name)).toEqual(["rewriter"]);
  });

  it("fails closed when the second answer fails", async () => {
    const hooks = createHooks();
    hooks.on("PreToolUse", { name: "gate", priority: 1 }, (event) => {
      if (event.tool_input.command === "b") throw new Error("can't judge");
    });
    hooks.on("PreToolUse", { priority: 2, recheck: false }, () => rewrite({ command: "b" }));
    expect(await hooks.fire(bashCall("a"))).toMatchObject({
      action: "deny",
      reason: 'Hook "gate" failed (error): Error: can\'t judge',
    });
  });

  it("asks PreToolUse gates about what a PermissionRequest hook made of the input", async () => {
    const hooks = createHooks();
    hooks.on("PreToolUse", { name: "gate" }, (event) => {
      expect(event.hook_event_name).toBe("PreToolUse");
      return event.tool_input.command === "rm" ? deny("no rm") : undefined;
    });
    hooks.on("PermissionRequest", { name: "granter" }, () => [allow(), rewrite({ command: "rm" })]);
    const decision = await hooks.fire({ ...bashCall("ls"), hook_event_name: "PermissionRequest" });
    expect(decision).toMatchObject({ action: "deny", reason: "no rm", input: { command: "rm" } });
  });

  it("leaves a PermissionRequest to the human when a PreToolUse gate asks about the new input", async () => {
    const hooks = createHooks();
    hooks.on("PreToolUse", () => ask("look at it"));
    hooks.on("PermissionRequest", () => [allow(), rewrite({ command: "new" })]);
    expect((await hooks.fire({ ...bashCall("ls"), hook_event_name: "PermissionRequest" })).action).toBe(
      "ask",
    );
  });

  it("holds for prompts and iterations too", async () => {
    const hooks = createHooks();
    hooks.on("UserPromptSubmit", { priority: 1 }, ({ prompt }) =>
      prompt.includes("secret") ? deny("no") : undefined,
    );
    hooks.on("UserPromptSubmit", { priority: 2 }, () => rewrite("the secret"));
    expect((await hooks.fire({ ...HERE, hook_event_name: "UserPromptSubmit", prompt: "hi" })).action).toBe(
      "deny",
    );
    hooks.on("PreIteration", { priority: 1 }, ({ system_prompt }) =>
      system_prompt === "evil" ? deny("no") : undefined,
    );
    hooks.on("PreIteration", { priority: 2 }, () => rewrite({ system_prompt: "evil" }));
    expect((await hooks.fire({ ...HERE, hook_event_name: "PreIteration", messages: [] })).action).toBe(
      "deny",
    );
  });

  it("counts a once hook once for both passes of one event", async () => {
    const hooks = createHooks();
    const seen: unknown[] = [];
    hooks.on("PreToolUse", { name: "gate", once: true, priority: 1 }, (event) => {
      seen.push(event.tool_input.command);
    });
    hooks.on("PreToolUse", { priority: 2, recheck: false }, () => rewrite({ command: "b" }));
    await hooks.fire(bashCall("a"));
    await hooks.fire(bashCall("a"));
    expect(seen).toEqual(["a", "b"]);
  });

  it("counts as the turn of a once hook that matches only the new input", async () => {
    const hooks = createHooks();
    const seen: unknown[] = [];
    hooks.on("PreToolUse", { once: true, path_patterns: ["*.env"] }, (event) => {
      seen.push(event.tool_input.file_path);
    });
    hooks.on("PreToolUse", { recheck: false }, () => rewrite({ file_path: "/project/.env" }));
    for (const file_path of ["/project/a.txt", "/project/b.txt", "/project/c.env"])
      await hooks.fire(bashCall("", { tool_name: "Read", tool_input: { file_path } }));
    expect(seen).toEqual(["/project/.env"]);
  });
});
