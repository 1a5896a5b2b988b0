import { createHooks, deny, retry, TenterhookError, timeLimit } from "tenterhook";
import { describe, expect, it } from "vitest";
import { HERE } from "../support/events.ts";

const call = { ...HERE, tool_name: "fetch", tool_input: { url: "https://example.com" } } as const;

/** Fails so often, then works. */
function failing(times: number) {
  let left = times;
  let runs = 0;
  const execute = (): string => {
    runs += 1;
    left -= 1;
    if (left >= 0) throw new Error(`failure ${runs}`);
    return `try ${runs}`;
  };
  return { execute, runs: () => runs };
}

function retrying(times: number) {
  const hooks = createHooks();
  hooks.on("Error", { name: "again", tools: "fetch" }, () => retry(times));
  return hooks;
}

describe("retry(3) around a tool call", () => {
  it("runs a replay-safe tool again until it works", async () => {
    const tool = failing(3);
    expect(await retrying(3).toolCall({ ...call, replay: "safe", execute: tool.execute })).toBe("try 4");
  });

  it("gives up after so many retries, with the last error", async () => {
    const tool = failing(9);
    const hooks = retrying(3);
    const failures: unknown[] = [];
    hooks.on("PostToolUseFailure", { name: "told" }, ({ error }) => void failures.push(error));
    await expect(hooks.toolCall({ ...call, replay: "safe", execute: tool.execute })).rejects.toThrow(
      "failure 4",
    );
    expect([tool.runs(), failures]).toEqual([4, ["failure 4"]]);
  });

  it("counts each call for itself, beyond the ceiling on retries of a turn", async () => {
    const hooks = retrying(2);
    for (let calls = 0; calls < 20; calls += 1)
      expect(await hooks.toolCall({ ...call, replay: "safe", execute: failing(2).execute })).toBe("try 3");
  });

  it("runs no other tool twice", async () => {
    const tool = failing(1);
    await expect(retrying(3).toolCall({ ...call, execute: tool.execute })).rejects.toThrow("failure 1");
    expect(tool.runs()).toBe(1);
  });

  it("says once in a session that another tool is not run again", async () => {
    const hooks = retrying(3);
    const told: unknown[] = [];
    for (let calls = 0; calls < 2; calls += 1) {
      const { execute } = failing(1);
      const outcome = await hooks.tryToolCall({ ...call, execute });
      expect(outcome).toMatchObject({ ok: false, error: { message: "failure 1" } });
      told.push(...outcome.user_messages);
    }
    const text = 'fetch is not run again (retry): only tools marked replay: "safe" are.';
    expect(told).toEqual([{ text, level: "warning", hook: "again" }]);
  });

  it("says nothing of that when the tool failed for the last time", async () => {
    const hooks = retrying(1);
    const { execute } = failing(9);
    const outcome = await hooks.tryToolCall({ ...call, replay: "safe", execute });
    expect([outcome.ok, outcome.user_messages]).toEqual([false, []]);
  });

  it("tells Error hooks which try has failed", async () => {
    const hooks = retrying(2);
    const attempts: unknown[] = [];
    hooks.on("Error", { name: "told" }, ({ attempt }) => void attempts.push(attempt));
    await hooks.toolCall({ ...call, replay: "safe", execute: failing(2).execute });
    expect(attempts).toEqual([1, 2]);
  });

  it("also runs again what reports its failure as a result", async () => {
    let runs = 0;
    const execute = () => {
      runs += 1;
      return runs === 1 ? { is_error: true, content: "busy" } : { content: "fine" };
    };
    expect(await retrying(1).toolCall({ ...call, replay: "safe", execute })).toEqual({ content: "fine" });
  });

  it("needs a whole number of tries", () => {
    expect(() => retry(0)).toThrow(TenterhookError);
    expect(() => retry("3")).toThrow('retry("3"): a number of retries is no text. Write retry(3).');
    expect(retry("3 servers are busy")).toEqual({ type: "retry", reason: "3 servers are busy" });
    expect(() => retry(1.5)).toThrow("retry needs a whole number of 1 or more");
  });
});

describe("timeLimit(seconds) around a tool call", () => {
  function limited(...seconds: number[]) {
    const hooks = createHooks();
    for (const [at, limit] of seconds.entries())
      hooks.on("PreToolUse", { name: `limit-${at}`, tools: "fetch" }, () => timeLimit(limit));
    return hooks;
  }

  const never = () => new Promise<string>(() => {});

  it("ends a call that takes longer, even one that does not look at its signal", async () => {
    const ended = limited(0.02).toolCall({ ...call, execute: never });
    await expect(ended).rejects.toMatchObject({
      name: "ToolTimeoutError",
      code: "tool_timeout",
      message:
        "fetch took longer than 0.02 s, which is the limit of the hooks. What it has done is not known.",
    });
  });

  it("aborts the signal of the tool", async () => {
    const execute = (_: unknown, { signal }: { signal: AbortSignal }) =>
      new Promise<string>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    await expect(limited(0.02).toolCall({ ...call, execute })).rejects.toMatchObject({
      code: "tool_timeout",
    });
  });

  it("is the shortest of several, and PostToolUseFailure sees it", async () => {
    const hooks = limited(60, 0.02);
    const seen: unknown[] = [];
    hooks.on("PostToolUseFailure", { name: "told" }, (event) => void seen.push(event.error_type));
    await expect(hooks.toolCall({ ...call, execute: never })).rejects.toThrow("0.02 s");
    expect(seen).toEqual(["ToolTimeoutError"]);
  });

  it("leaves a call alone that is quick enough", async () => {
    expect(await limited(60).toolCall({ ...call, execute: () => "quick" })).toBe("quick");
  });

  it("holds for each try", async () => {
    const hooks = limited(0.02);
    hooks.on("Error", { name: "again", tools: "fetch" }, () => retry(1));
    let runs = 0;
    const execute = () => {
      runs += 1;
      return runs === 1 ? never() : "second";
    };
    expect(await hooks.toolCall({ ...call, replay: "safe", execute })).toBe("second");
  });

  it("is in the decision and in the record of its hook, next to a verdict", async () => {
    const hooks = limited(5);
    hooks.on("PreToolUse", { name: "no" }, () => deny("no"));
    const decision = await hooks.fire({ ...call, hook_event_name: "PreToolUse" });
    expect(decision).toMatchObject({ action: "deny", time_limit: 5 });
    expect(decision.runs[0]?.outcome).toEqual({ action: "continue", time_limit: 5 });
  });

  it("needs a number above 0", () => {
    expect(() => timeLimit(0)).toThrow("timeLimit needs a number of seconds above 0");
  });
});
