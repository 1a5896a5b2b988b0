import { abort, createHooks, retry, rewrite, ToolDeniedError } from "tenterhook";
import { describe, expect, it } from "vitest";
import { HERE } from "../support/events.ts";

const call = { ...HERE, tool_name: "Bash", tool_input: { command: "ls" }, tool_use_id: "t1" } as const;

describe("a tool that fails", () => {
  it("throws the error that a PostToolUseFailure hook wrote, with the stack of the tool", async () => {
    const hooks = createHooks();
    hooks.on("PostToolUseFailure", ({ error }) => rewrite(String(error).replace("hunter2", "[redacted]")));
    const execute = function fromTheTool(): never {
      throw new RangeError("the password hunter2 is wrong");
    };
    const thrown = await hooks.toolCall({ ...call, execute }).catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(Error);
    expect(thrown).toMatchObject({ name: "RangeError", message: "the password [redacted] is wrong" });
    const { stack = "", cause } = thrown instanceof Error ? thrown : {};
    expect(stack).toContain("fromTheTool");
    expect([stack.includes("hunter2"), cause]).toEqual([false, undefined]);
  });

  it.each([
    [
      { is_error: true, content: "hunter2" },
      { is_error: true, content: "gone" },
    ],
    [
      { isError: true, content: [{ type: "text", text: "hunter2" }] },
      { isError: true, content: [{ type: "text", text: "gone" }] },
    ],
    [
      { is_error: true, error: "hunter2", detail: 1 },
      { is_error: true, error: "gone", detail: 1 },
    ],
  ])("returns the failed result %j as the hook wrote it", async (result, expected) => {
    const hooks = createHooks();
    hooks.on("PostToolUseFailure", () => rewrite("gone"));
    expect(await hooks.toolCall({ ...call, execute: () => result })).toEqual(expected);
  });
});

describe("the Error event of a call", () => {
  it("tells of a tool that throws, with its stack, before PostToolUseFailure", async () => {
    const hooks = createHooks();
    const seen: unknown[] = [];
    hooks.on("Error", { tools: ["bash"] }, ({ stack_trace, ...event }) => {
      const { error_type, error_message, severity, tool, tool_use_id } = event;
      seen.push({ error_type, error_message, severity, tool, tool_use_id, session_id: event.session_id });
      seen.push(stack_trace?.includes("fromTheTool"));
    });
    hooks.on("PostToolUseFailure", ({ error }) => {
      seen.push(error);
    });
    const decided: string[] = [];
    const execute = function fromTheTool(): never {
      throw new RangeError("too far");
    };
    hooks.observe({ onDecision: ({ event }) => void decided.push(event.hook_event_name) });
    await expect(hooks.toolCall({ ...call, execute })).rejects.toThrow("too far");
    const { session_id } = HERE;
    expect(seen).toEqual([
      {
        error_type: "RangeError",
        error_message: "too far",
        severity: "error",
        tool: "Bash",
        tool_use_id: "t1",
        session_id,
      },
      true,
      "too far",
    ]);
    expect(decided).toEqual(["PreToolUse", "Error", "PostToolUseFailure"]);
  });

  it("comes to a set that has no other hook, and leaves the input of the tool as it is", async () => {
    const hooks = createHooks();
    const seen: unknown[] = [];
    hooks.on("Error", ({ error_message }) => {
      seen.push(error_message);
      return retry();
    });
    const date = new Date(0);
    let runs = 0;
    const execute = (input: Readonly<Record<string, unknown>>): never => {
      runs += 1;
      seen.push(input.date === date);
      throw new Error("gone");
    };
    await expect(hooks.toolCall({ ...call, tool_input: { date }, execute })).rejects.toThrow("gone");
    expect([seen, runs]).toEqual([[true, "gone"], 1]);
  });

  it("warns of a tool that returns its failure, and is silent about a cancelled one", async () => {
    const hooks = createHooks();
    const seen: unknown[] = [];
    hooks.on("Error", ({ error_type, error_message, severity, stack_trace }) => {
      seen.push([error_type, error_message, severity, stack_trace]);
    });
    await hooks.toolCall({ ...call, execute: () => ({ is_error: true, content: "no such file" }) });
    expect(seen).toEqual([["ToolError", "no such file", "warning", undefined]]);
    const controller = new AbortController();
    const execute = (): never => {
      controller.abort();
      throw new Error("stopped");
    };
    await expect(hooks.toolCall({ ...call, execute, signal: controller.signal })).rejects.toThrow("stopped");
    await hooks.close();
    expect(seen).toHaveLength(1);
  });
});

it.each(["Error", "PostToolUseFailure"] as const)(
  "an abort by a hook on %s ends the run, after a tool that failed",
  async (event) => {
    const hooks = createHooks();
    hooks.on(event, () => abort("three failures are enough"));
    const failing = hooks.toolCall({ ...call, execute: () => Promise.reject(new Error("x")) });
    await expect(failing).rejects.toMatchObject({
      name: "ToolDeniedError",
      message: "three failures are enough",
      ran: true,
    });
  },
);

describe("a call that is cancelled", () => {
  it("throws an abort error and no denial, in the middle of the hooks before it", async () => {
    const hooks = createHooks();
    const controller = new AbortController();
    hooks.on("PreToolUse", async () => {
      controller.abort();
      await new Promise(() => {});
    });
    let ran = false;
    const thrown = await hooks
      .toolCall({ ...call, signal: controller.signal, execute: () => (ran = true) })
      .catch((error: unknown) => error);
    expect(thrown).not.toBeInstanceOf(ToolDeniedError);
    expect([thrown, ran]).toMatchObject([{ name: "AbortError" }, false]);
  });

  it("throws the reason of the signal when that is an error", async () => {
    const why = new Error("the user left");
    const running = createHooks().toolCall({ ...call, signal: AbortSignal.abort(why), execute: () => 1 });
    await expect(running).rejects.toBe(why);
  });

  it("never returns a result that a hook after it had no time to rewrite", async () => {
    const hooks = createHooks();
    const controller = new AbortController();
    hooks.on("PostToolUse", async () => {
      controller.abort("enough");
      await new Promise(() => {});
      return rewrite("[redacted]");
    });
    const running = hooks.toolCall({ ...call, signal: controller.signal, execute: () => "secret" });
    await expect(running).rejects.toMatchObject({ name: "AbortError", message: "enough" });
  });

  it("throws an abort error while a human is asked", async () => {
    const hooks = createHooks();
    const controller = new AbortController();
    hooks.on("PreToolUse", () => ({ type: "ask" }) as const);
    const approval = (): boolean => {
      controller.abort();
      return true;
    };
    const running = hooks.toolCall({ ...call, signal: controller.signal, approval, execute: () => 1 });
    await expect(running).rejects.toMatchObject({ name: "AbortError" });
  });
});

describe("a tool that is an async generator", () => {
  it("runs to its end before PostToolUse, and its last value is the result", async () => {
    const hooks = createHooks();
    const order: unknown[] = [];
    hooks.on("PostToolUse", ({ tool_response }) => {
      order.push(["PostToolUse", tool_response]);
      return rewrite({ status: "done", text: "[redacted]" });
    });
    const result = await hooks.toolCall({
      ...call,
      execute: async function* () {
        order.push("begins");
        yield { status: "loading", text: "" };
        yield { status: "done", text: "secret" };
        order.push("ends");
      },
    });
    expect(result).toEqual({ status: "done", text: "[redacted]" });
    expect(order).toEqual(["begins", "ends", ["PostToolUse", { status: "done", text: "secret" }]]);
  });

  it("fails with what it throws", async () => {
    const hooks = createHooks();
    const seen: unknown[] = [];
    hooks.on("PostToolUseFailure", ({ error }) => {
      seen.push(error);
    });
    const execute = async function* (): AsyncGenerator<string> {
      yield "half";
      throw new Error("broke");
    };
    await expect(hooks.toolCall({ ...call, execute })).rejects.toThrow("broke");
    expect(seen).toEqual(["broke"]);
  });
});

class Money {
  readonly #euro: number;

  constructor(euro: number) {
    this.#euro = euro;
  }

  toJSON(): object {
    return { euro: this.#euro };
  }
}

describe("an input", () => {
  it("has dates and other values with a JSON form as JSON, for hooks and tool alike", async () => {
    const hooks = createHooks();
    const seen: unknown[] = [];
    hooks.on("PreToolUse", ({ tool_input }) => {
      seen.push(tool_input);
    });
    const tool_input = {
      at: new Date(0),
      where: [new URL("https://example.com/a")],
      none: undefined,
      money: new Money(1),
    };
    await hooks.toolCall({ ...call, tool_input, execute: (input) => seen.push(input) });
    const json = { at: "1970-01-01T00:00:00.000Z", where: ["https://example.com/a"], money: { euro: 1 } };
    expect(seen).toEqual([json, json]);
  });

  it.each([
    ["a map", new Map([["a", 1]])],
    ["a function", () => 1],
    ["a big number", 1n],
    ["not a number", Number.NaN],
  ])("with %s is refused: JSON would lose it", async (_, value) => {
    const hooks = createHooks();
    hooks.on("PreToolUse", () => undefined);
    const running = hooks.toolCall({ ...call, tool_input: { value }, execute: () => 1 });
    await expect(running).rejects.toMatchObject({ code: "invalid_event" });
  });
});

it("gives each call a signal of its own: a Cloudflare Worker may not touch that of another request", async () => {
  const hooks = createHooks();
  const execute = (_: unknown, { signal }: { readonly signal: AbortSignal }) => signal;
  const signals = [await hooks.toolCall({ ...call, execute }), await hooks.toolCall({ ...call, execute })];
  expect(new Set(signals).size).toBe(2);
});
