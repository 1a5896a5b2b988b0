import { answer, ask, createHooks, deny, type HookEvent, rewrite, ToolDeniedError } from "tenterhook";
import { describe, expect, it } from "vitest";

/** A call of a tool that counts how often it ran. */
function counted(hooks: ReturnType<typeof createHooks>, more: { approval?: () => boolean } = {}) {
  const ran: string[] = [];
  const call = () =>
    hooks.toolCall({
      tool_name: "Fetch",
      tool_input: { url: "https://example.com" },
      execute: ({ url }) => {
        ran.push(url);
        return { status: 200, from: "the net" };
      },
      ...more,
    });
  return { ran, call };
}

describe("a result that a hook gives in place of the tool", () => {
  it("is what the call returns; PostToolUse hooks see it, and who gave it", async () => {
    const hooks = createHooks();
    const seen: HookEvent<"PostToolUse">[] = [];
    hooks.on("PreToolUse", { name: "cache" }, () => answer({ status: 200, from: "the cache" }));
    hooks.on("PreToolUse", { name: "late" }, () => answer({ status: 500, from: "elsewhere" }));
    hooks.on("PostToolUse", (event) => {
      seen.push(event);
    });
    const { ran, call } = counted(hooks);
    expect(await call()).toEqual({ status: 200, from: "the cache" });
    expect(ran).toEqual([]);
    expect(seen).toMatchObject([{ tool_response: { from: "the cache" }, answered_by: "cache" }]);
  });

  it("can still be rewritten by PostToolUse hooks", async () => {
    const hooks = createHooks();
    hooks.on("PreToolUse", () => answer({ status: 200, from: "the cache" }));
    hooks.on("PostToolUse", () => rewrite({ status: 200, from: "a hook" }));
    expect(await counted(hooks).call()).toEqual({ status: 200, from: "a hook" });
  });

  it("does not count when another hook denies", async () => {
    const hooks = createHooks();
    hooks.on("PreToolUse", () => answer("cached"));
    hooks.on("PreToolUse", () => deny("no"));
    const { ran, call } = counted(hooks);
    await expect(call()).rejects.toThrow(ToolDeniedError);
    expect(ran).toEqual([]);
  });

  it("waits for the human that another hook wants asked", async () => {
    const hooks = createHooks();
    hooks.on("PreToolUse", () => answer({ status: 200, from: "the cache" }));
    hooks.on("PreToolUse", () => ask("May it?"));
    await expect(counted(hooks).call()).rejects.toThrow(ToolDeniedError);
    expect(await counted(hooks, { approval: () => true }).call()).toMatchObject({ from: "the cache" });
  });

  it("does not count for an input that was rewritten after it", async () => {
    const hooks = createHooks();
    hooks.on("PreToolUse", () => answer("of another page"));
    hooks.on("PreToolUse", () => rewrite({ url: "https://example.org" }));
    const { ran, call } = counted(hooks);
    expect(await call()).toEqual({ status: 200, from: "the net" });
    expect(ran).toEqual(["https://example.org"]);
  });

  it("must be plain JSON data: otherwise the hook fails, and the call is refused", async () => {
    const hooks = createHooks();
    hooks.on("PreToolUse", { name: "mock" }, () => answer(() => "later"));
    await expect(counted(hooks).call()).rejects.toThrow("its answer is not plain JSON data");
  });

  it("changes nothing from a hook in shadow mode", async () => {
    const hooks = createHooks();
    hooks.on("PreToolUse", { mode: "shadow" }, () => answer("cached"));
    expect(await counted(hooks).call()).toEqual({ status: 200, from: "the net" });
  });
});
