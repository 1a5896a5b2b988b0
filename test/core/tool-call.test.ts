import {
  abort,
  ask,
  context,
  createHooks,
  type Decision,
  deny,
  type HookEvent,
  isTenterhookError,
  rewrite,
  ToolDeniedError,
} from "tenterhook";
import { describe, expect, it } from "vitest";
import { HERE } from "../support/events.ts";

const call = { ...HERE, tool_name: "Bash", tool_input: { command: "ls" }, tool_use_id: "t1" } as const;

describe("toolCall", () => {
  it("runs the tool with the caller's own input when there are no hooks", async () => {
    let got: unknown;
    const result = await createHooks().toolCall({
      ...call,
      execute: (input, { signal }) => {
        got = [input, signal.aborted];
        return 7;
      },
    });
    expect([result, got]).toEqual([7, [call.tool_input, false]]);
    expect(Reflect.get(Object(got), 0)).toBe(call.tool_input);
  });

  it("needs nothing but the tool, its input and what runs it", async () => {
    const hooks = createHooks();
    const { tool_name, tool_input } = call;
    const execute = async (): Promise<string> => "ran";
    expect(await hooks.toolCall({ tool_name, tool_input, execute })).toBe("ran");
    const seen: unknown[] = [];
    hooks.on("PreToolUse", ({ session_id, cwd }) => {
      seen.push([session_id, cwd]);
      return seen.length > 1 ? deny("no") : undefined;
    });
    expect(await hooks.toolCall({ tool_name, tool_input, execute })).toBe("ran");
    await expect(hooks.toolCall({ tool_name, tool_input, execute })).rejects.toThrow("no");
    expect(seen).toEqual([
      [expect.any(String), process.cwd()],
      [Reflect.get(Object(seen[0]), 0), process.cwd()],
    ]);
  });

  it("fires PreToolUse, runs the tool with the final input, and fires PostToolUse", async () => {
    const hooks = createHooks();
    const seen: (HookEvent<"PreToolUse"> | HookEvent<"PostToolUse">)[] = [];
    hooks.on(["PreToolUse", "PostToolUse"], { recheck: false }, (event) => {
      seen.push(event);
    });
    hooks.on("PreToolUse", { recheck: false }, () => rewrite({ command: "ls -l" }));
    hooks.on("PostToolUse", ({ tool_response }) => rewrite(`${tool_response}!`));
    const result = await hooks.toolCall({ ...call, execute: async (input) => `ran ${input.command}` });
    expect(result).toBe("ran ls -l!");
    expect(seen).toMatchObject([
      { hook_event_name: "PreToolUse", tool_input: { command: "ls" }, tool_use_id: "t1" },
      {
        hook_event_name: "PostToolUse",
        tool_input: { command: "ls -l" },
        original_input: { command: "ls" },
        tool_response: "ran ls -l",
        duration_ms: expect.any(Number),
      },
    ]);
  });

  it("denied throws the reason and does not run the tool", async () => {
    const hooks = createHooks();
    hooks.on("PreToolUse", () => deny("not here"));
    let ran = false;
    const error = await hooks
      .toolCall({ ...call, execute: () => (ran = true) })
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ToolDeniedError);
    expect(isTenterhookError(error)).toBe(true);
    expect(error).toMatchObject({
      name: "ToolDeniedError",
      code: "tool_denied",
      message: "not here",
      tool_name: "Bash",
      decision: { action: "deny" },
    });
    expect(ran).toBe(false);
  });

  it("denied without a reason says that a hook denied it", async () => {
    const hooks = createHooks();
    hooks.on("PreToolUse", () => deny());
    await expect(hooks.toolCall({ ...call, execute: () => 1 })).rejects.toThrow("Tool call denied by hook");
  });

  it("a tool call that is aborted throws", async () => {
    const hooks = createHooks();
    hooks.on("PreToolUse", () => abort("stop everything"));
    await expect(hooks.toolCall({ ...call, execute: () => 1 })).rejects.toThrow("stop everything");
  });

  it("asks the approval callback, and only true grants", async () => {
    const hooks = createHooks();
    hooks.on("PreToolUse", () => ask("sure?"));
    const execute = (): string => "ran";
    await expect(hooks.toolCall({ ...call, execute })).rejects.toThrow("approval of a human");
    await expect(hooks.toolCall({ ...call, execute, approval: () => false })).rejects.toThrow(
      ToolDeniedError,
    );
    await expect(
      hooks.toolCall({
        ...call,
        execute,
        approval: () => {
          throw new Error("no terminal");
        },
      }),
    ).rejects.toMatchObject({ code: "tool_denied", cause: { message: "no terminal" } });
    const asked: unknown[] = [];
    const approval = async (decision: Decision, input: object): Promise<boolean> => {
      asked.push(decision.reason, input);
      return true;
    };
    expect(await hooks.toolCall({ ...call, execute, approval })).toBe("ran");
    expect(asked).toEqual(["sure?", { command: "ls" }]);
  });

  it("that fails fires PostToolUseFailure and throws the error as the hook wrote it", async () => {
    const hooks = createHooks();
    const seen: HookEvent<"PostToolUseFailure">[] = [];
    hooks.on("PostToolUseFailure", (event) => {
      seen.push(event);
      return [context("try --help"), rewrite("nicer")];
    });
    hooks.on("PostToolUse", () => deny("must not fire"));
    const failure = new RangeError("exit 2");
    const outcome = await hooks.tryToolCall({
      ...call,
      execute: () => {
        throw failure;
      },
    });
    expect(outcome).toMatchObject({
      ok: false,
      error: { name: "RangeError", message: "nicer" },
      context: [{ text: "try --help" }],
    });
    expect(seen).toMatchObject([
      { error: "exit 2", error_type: "RangeError", is_interrupt: false, tool_input: { command: "ls" } },
    ]);
  });

  it("whose result says that it is an error counts as failed", async () => {
    const hooks = createHooks();
    const seen: unknown[] = [];
    hooks.on(["PostToolUse", "PostToolUseFailure"], (event) => {
      seen.push([event.hook_event_name, Reflect.get(event, "error")]);
    });
    const result = { is_error: true, content: "no such file" };
    expect(await hooks.toolCall({ ...call, execute: () => result })).toBe(result);
    expect(seen).toEqual([["PostToolUseFailure", "no such file"]]);
  });

  it("gives the tool what the gates judged, even if the caller's object changes meanwhile", async () => {
    const hooks = createHooks();
    const tool_input = { command: "ls" };
    hooks.on("PreToolUse", async ({ tool_input: seen }) => {
      tool_input.command = "rm -rf /";
      return seen.command === "ls" ? undefined : deny("no");
    });
    let ran: unknown;
    await hooks.toolCall({
      ...call,
      tool_input,
      execute: (input) => {
        ran = input.command;
        input.command = "the tool may change its copy";
      },
    });
    expect(ran).toBe("ls");
  });

  it("that is interrupted says so to PostToolUseFailure hooks, and nobody waits for them", async () => {
    const hooks = createHooks();
    const controller = new AbortController();
    let release = (): void => {};
    const seen: unknown[] = [];
    hooks.on("PostToolUseFailure", async ({ is_interrupt, error }) => {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      seen.push([is_interrupt, error]);
    });
    const running = hooks.toolCall({
      ...call,
      signal: controller.signal,
      execute: async (_input, { signal }) => {
        controller.abort(new Error("interrupted"));
        signal.throwIfAborted();
      },
    });
    await expect(running).rejects.toThrow("interrupted");
    expect(seen).toEqual([]);
    release();
    await new Promise((resolve) => setTimeout(resolve));
    expect(seen).toEqual([[true, "interrupted"]]);
  });

  it("refuses input that hooks could not see whole, and runs it where there is no hook", async () => {
    class Command {
      get command(): string {
        return "rm -rf /";
      }
    }
    const hooks = createHooks();
    const execute = (input: Record<string, unknown>): string => `ran ${input.command}`;
    const odd = { ...call, tool_input: Object.assign(new Command()), execute };
    expect(await hooks.toolCall(odd)).toBe("ran rm -rf /");
    hooks.on("PreToolUse", () => undefined);
    await expect(hooks.toolCall(odd)).rejects.toMatchObject({
      code: "invalid_event",
      message:
        "toolCall: tool_input can't be judged: it holds an object of class Command, which is not plain JSON data.",
    });
  });

  it("shows the human what the gates judged and the tool gets", async () => {
    const hooks = createHooks();
    const tool_input = { command: "ls" };
    hooks.on("PreToolUse", async () => {
      tool_input.command = "rm";
      return ask();
    });
    const shown: unknown[] = [];
    hooks.on("PostToolUse", ({ tool_input: seen }) => {
      shown.push(seen.command);
    });
    const approval = (_decision: Decision, input: Readonly<Record<string, unknown>>): boolean => {
      shown.push(input.command);
      return true;
    };
    await hooks.toolCall({ ...call, tool_input, approval, execute: ({ command }) => shown.push(command) });
    expect(shown).toEqual(["ls", "ls", "ls"]);
  });

  it("throws when a PostToolUse hook ends the run, and says that the tool ran", async () => {
    const hooks = createHooks();
    hooks.on("PostToolUse", () => abort("seen enough"));
    await expect(hooks.toolCall({ ...call, execute: () => 1 })).rejects.toMatchObject({
      message: "seen enough",
      ran: true,
    });
  });

  it("rethrows what the tool threw, whatever it is", async () => {
    const hooks = createHooks();
    hooks.on("PostToolUseFailure", () => undefined);
    const circle: Record<string, unknown> = {};
    circle.content = circle;
    for (const thrown of [circle, undefined, Object.create(null), "text"]) {
      const running = hooks.toolCall({
        ...call,
        execute: () => {
          throw thrown;
        },
      });
      expect(await running.catch((error: unknown) => error)).toBe(thrown);
    }
  });
});
