import { createHooks } from "tenterhook";
import { redactResults } from "tenterhook/agent";
import { describe, expect, it } from "vitest";
import { agentOf, echo, says, story } from "../support/agents.ts";

const KEY = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;
const AFTER = ["PostToolUse", "PostToolUseFailure"] as const;

describe("redactResults", () => {
  it("keeps secrets in results and errors from the model and from listeners", async () => {
    const { agent, hooks } = agentOf([{ tool_calls: [says(KEY), says(KEY, "Fails"), says("plain")] }], {
      tools: [
        { ...echo, run: async ({ text }) => ({ content: text === "plain" ? "plain" : `the key is ${KEY}` }) },
        { ...echo, name: "Fails", run: async () => Promise.reject(new Error(`refused: ${KEY}`)) },
      ],
    });
    hooks.on(AFTER, redactResults());
    const results: string[] = [];
    for await (const item of agent.stream("go"))
      if (item.type === "tool_result") results.push(String(item.content));
    expect(results.sort()).toEqual(["plain", "refused: [redacted]", "the key is [redacted]"]);
    const stored = story(agent.transcript()).flatMap((line) => /^tool \w+: (.*)/s.exec(line)?.[1] ?? []);
    expect(stored).toEqual(["the key is [redacted]", "refused: [redacted]", "plain"]);
  });

  it("removes the values of secret variables, also of those set later", async () => {
    const environment: Record<string, string> = { DEMO_PASSWORD: "correct horse battery" };
    const hooks = createHooks();
    hooks.on(AFTER, redactResults({ environment }));
    const result = async (tool_response: unknown) => {
      const call = { tool_name: "Read", tool_input: {}, tool_response };
      const decision = await hooks.fire({
        hook_event_name: "PostToolUse",
        session_id: "s",
        cwd: "/",
        ...call,
      });
      return decision.output;
    };
    expect(await result({ stdout: "it is correct horse battery", exit_code: 0 })).toEqual({
      stdout: "it is [redacted]",
      exit_code: 0,
    });
    environment.LATER_TOKEN = "set while it ran";
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(await result(["set while it ran"])).toEqual(["[redacted]"]);
  });

  it("leaves a result without secrets as it is, with its files", async () => {
    const hooks = createHooks();
    hooks.on(AFTER, redactResults());
    const call = { tool_name: "Read", tool_input: {}, tool_response: { text: "nothing" } };
    const decision = await hooks.fire({ hook_event_name: "PostToolUse", session_id: "s", cwd: "/", ...call });
    expect("output" in decision).toBe(false);
  });

  it("withholds a result that can't be searched", async () => {
    const hooks = createHooks();
    hooks.on(AFTER, redactResults());
    const output = await hooks.toolCall({
      tool_name: "Dump",
      tool_input: {},
      session_id: "s",
      cwd: "/",
      execute: async () => `password="${"a".repeat(10_000_000)}`,
    });
    expect(output).toBe("[redacted: this result can't be searched for secrets]");
  });

  it("refuses unknown options", () => {
    expect(() => redactResults({ env: {} } as never)).toThrow('unknown key "env"');
  });
});
