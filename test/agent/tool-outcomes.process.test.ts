import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { abort, allow, ask, context, deny, rewrite } from "tenterhook";
import { type AgentItem, defaultTools, type Tool } from "tenterhook/agent";
import { describe, expect, it } from "vitest";
import { noSandbox } from "../support/bubblewrap.ts";
import { agentOf, echo, reply, says, story } from "./support/agents.ts";

const call = (name: string, input: Record<string, unknown>) => ({ name, input });
const results = (messages: Parameters<typeof story>[0]) =>
  story(messages).filter((line) => line.startsWith("tool "));

describe("what a tool came to is kept", () => {
  it("with data that fails when it is read", async () => {
    const result = {
      content: "the result",
      get data(): unknown {
        throw new Error("not yet");
      },
    };
    const odd: Tool = { ...echo, run: async () => result };
    const { agent, hooks } = agentOf([{ tool_calls: [says("")] }, { text: "Fine." }], { tools: [odd] });
    const responses: unknown[] = [];
    hooks.on("PostToolUse", ({ tool_response }) => {
      responses.push(tool_response);
    });
    expect(await agent.run("go")).toMatchObject({ stop_reason: "complete", text: "Fine." });
    expect(results(agent.transcript())).toEqual(["tool answers: the result"]);
    expect(responses).toEqual(["the result"]);
  });

  it("when the turn is interrupted while hooks hear of it", async () => {
    const { agent, hooks } = agentOf([{ tool_calls: [says("the result")] }]);
    hooks.on("PostToolUse", { timeout: 600 }, () => {
      setTimeout(() => agent.interrupt("Esc"));
      return new Promise<undefined>(() => {});
    });
    expect(await agent.run("go")).toMatchObject({ stop_reason: "cancelled" });
    expect(results(agent.transcript())).toEqual(["tool answers: the result"]);
  });

  it("when a hook that hears of it ends the run", async () => {
    const { agent, hooks } = agentOf([{ tool_calls: [says("the result"), says("another")] }]);
    hooks.on("PostToolUse", { once: true }, () => [context("beside it"), abort("enough")]);
    expect(await agent.run("go")).toMatchObject({ stop_reason: "aborted", text: "enough" });
    await agent.run("and now?");
    expect(story(agent.transcript()).slice(3)).toEqual([
      "tool answers: the result",
      "tool answers: another",
      "assistant text: enough",
      "user text: and now?",
      "user context: beside it",
      "assistant text: done",
    ]);
  });

  it("beside one that is interrupted, and its hooks hear of it", async () => {
    const slow: Tool = { ...echo, name: "Slow", run: () => new Promise(() => {}) };
    const { agent, hooks } = agentOf([{ tool_calls: [says("a", "Slow"), says("the result")] }], {
      tools: [echo, slow],
    });
    const events: string[] = [];
    hooks.on(["PostToolUse", "PostToolUseFailure"], (event) => {
      events.push(`${event.hook_event_name} ${event.tool_name}`);
    });
    await agent.run("go", {
      onItem: (item) => item.type === "tool_result" && item.tool_name === "Echo" && agent.interrupt("Esc"),
    });
    expect(results(agent.transcript())).toEqual([
      "tool fails: The call was interrupted; what it has done until then is not known.",
      "tool answers: the result",
    ]);
    expect(events).toEqual(["PostToolUse Echo", "PostToolUseFailure Slow"]);
  });

  it("when it fails as it is interrupted, with what it said", async () => {
    const tidy: Tool = {
      ...echo,
      name: "Tidy",
      run: (_input, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener("abort", () => resolve({ content: "half of it", is_error: true }));
          agent.interrupt("Esc");
        }),
    };
    const { agent } = agentOf([{ tool_calls: [says("a", "Tidy")] }], { tools: [tidy] });
    await agent.run("go");
    expect(results(agent.transcript())).toEqual([
      "tool fails: half of it\n\nThe call was interrupted; what it has done until then is not known.",
    ]);
  });
});

describe("calls that were never begun", () => {
  it("are said to have not run, and are told before their results", async () => {
    const { agent, hooks } = agentOf([{ tool_calls: [says("a"), says("b")] }]);
    hooks.on("PreToolUse", () => {
      agent.interrupt("Esc");
    });
    const items: AgentItem[] = [];
    await agent.run("go", { onItem: (item) => items.push(item) });
    const shown = items.filter(({ type }) => type === "tool_call" || type === "tool_result");
    const not_run = {
      type: "tool_result",
      content: "The call did not run: the turn was interrupted before.",
      is_error: true,
      outcome: "not_run",
    };
    expect(shown).toMatchObject([
      { type: "tool_call", tool_input: { text: "a" } },
      not_run,
      { type: "tool_call", tool_input: { text: "b" } },
      not_run,
    ]);
  });

  it("are told also when a hook ends the run before their gates are asked", async () => {
    const { agent, hooks } = agentOf([{ tool_calls: [says("a")] }]);
    hooks.on("PostModelResponse", () => abort("enough"));
    const types: string[] = [];
    await agent.run("go", { onItem: ({ type }) => type.startsWith("tool") && types.push(type) });
    expect(types).toEqual(["tool_input_delta", "tool_call", "tool_result"]);
    expect(results(agent.transcript())).toEqual([
      "tool fails: The call did not run: the run was ended before.",
    ]);
  });
});

it("context of calls that are done follows when a later call has waited for a human", async () => {
  const question = call("AskUserQuestion", { questions: [{ question: "Really?" }] });
  const { agent, hooks } = agentOf([{ tool_calls: [says("a"), question] }, { text: "end" }], {
    tools: [{ ...echo, annotations: {} }, ...defaultTools()],
    suspend: true,
  });
  hooks.on("PostToolUse", { matcher: { tools: ["Echo"] } }, () => context("of the first"));
  expect(await agent.run("go")).toMatchObject({ stop_reason: "suspended" });
  await agent.continue(reply(agent, "yes"));
  expect(story(agent.transcript()).slice(3)).toEqual([
    "tool answers: a",
    "tool answers: The user answered:\n\nReally?\nyes",
    "user context: of the first",
    "assistant text: end",
  ]);
});

it("what a hook takes out of a result is not in the batch either", async () => {
  const { agent, hooks } = agentOf([{ tool_calls: [says("secret")] }]);
  hooks.on("PostToolUse", () => rewrite("[redacted]"));
  const batches: unknown[] = [];
  hooks.on("PostToolBatch", ({ tool_calls }) => {
    batches.push(tool_calls);
  });
  await agent.run("go");
  expect(batches).toMatchObject([[{ tool_name: "Echo", tool_response: "[redacted]" }]]);
});

it("a tool may answer at once, without a promise; nothing at all is no result", async () => {
  // As code that no compiler looks at may have it.
  const atOnce = (name: string, answer: string): Tool => ({ ...echo, name, run: () => JSON.parse(answer) });
  const tools = [atOnce("Quick", '{"content":"here"}'), atOnce("Silent", "null")];
  const { agent } = agentOf([{ tool_calls: [says("a", "Quick"), says("a", "Silent")] }], { tools });
  await agent.run("go");
  expect(results(agent.transcript())).toEqual([
    "tool answers: here",
    "tool fails: Silent returned no valid result: a result needs content, which must be a string or a list of parts.",
  ]);
});

it.each(['{"content":5}', "null", '{"text":"x"}', '"x"'])(
  "a tool that answers %s has failed",
  async (answer) => {
    const odd: Tool = { ...echo, name: "Odd", run: async () => JSON.parse(answer) };
    const { agent } = agentOf([{ tool_calls: [says("a", "Odd")] }, { text: "end" }], { tools: [odd] });
    expect(await agent.run("go")).toMatchObject({ text: "end" });
    expect(results(agent.transcript())).toEqual([
      "tool fails: Odd returned no valid result: a result needs content, which must be a string or a list of parts.",
    ]);
  },
);

describe("the mode and the rules hold for each call as it runs", () => {
  it("plan mode stops a call of the message that entered it", async () => {
    const calls = [call("EnterPlanMode", {}), call("Write", { file_path: "a.txt", content: "x" })];
    const { agent, hooks, cwd } = agentOf([{ tool_calls: calls }], {
      tools: defaultTools(),
      permissions: { mode: "accept-edits" },
    });
    const denied: unknown[] = [];
    hooks.on("PermissionDenied", ({ tool_name, by }) => {
      denied.push([tool_name, by]);
    });
    await agent.run("go");
    expect(existsSync(join(cwd, "a.txt"))).toBe(false);
    expect(results(agent.transcript())[1]).toBe(
      "tool fails: Write is not read-only, and in plan mode nothing is changed.",
    );
    expect(denied).toEqual([["Write", "rule"]]);
  });

  it("dont-ask asks nobody, though a hook wants it", async () => {
    let asked = 0;
    const { agent, hooks } = agentOf([{ tool_calls: [says("a")] }], {
      permissions: { mode: "dont-ask" },
      approval: () => {
        asked += 1;
        return true;
      },
    });
    hooks.on("PreToolUse", () => ask("Sure?"));
    await agent.run("go");
    expect([asked, results(agent.transcript())]).toEqual([
      0,
      [
        "tool fails: Echo needs the approval of a human (hook PreToolUse#1), but in this mode nobody is asked, so it is refused.",
      ],
    ]);
  });

  it("a rule that wants a human asked stands though a hook allows the call; the mode's own question does not", async () => {
    const calls = [call("Bash", { command: "touch asked" }), call("Bash", { command: "mkdir allowed" })];
    const { agent, hooks, cwd } = agentOf([{ tool_calls: calls }], {
      tools: defaultTools(),
      permissions: { ask: ["Bash(touch:*)"] },
    });
    hooks.on("PreToolUse", () => allow());
    await agent.run("go");
    expect(["asked", "allowed"].map((name) => existsSync(join(cwd, name)))).toEqual([false, true]);
  });

  it("defect 2: what a PermissionRequest hook writes is judged again by the rules and by the hooks", async () => {
    const { agent, hooks, cwd } = agentOf(
      ["touch one", "touch two", "touch three"].map((command) => ({
        tool_calls: [call("Bash", { command })],
      })),
      {
        tools: defaultTools(),
        permissions: { ask: ["Bash(touch:*)"], deny: ["Bash(mkdir:*)"] },
      },
    );
    const written: Readonly<Record<string, string>> = {
      "touch one": "mkdir denied-by-rule",
      "touch two": "ln -s x denied-by-hook",
      "touch three": "echo fine > three",
    };
    hooks.on("PreToolUse", ({ tool_input }) =>
      String(tool_input.command).startsWith("ln") ? deny("no links") : undefined,
    );
    hooks.on("PermissionRequest", ({ tool_input }) => [
      allow(),
      rewrite({ command: written[String(tool_input.command)] ?? "" }),
    ]);
    const denied: unknown[] = [];
    hooks.on("PermissionDenied", ({ tool_input, by }) => {
      denied.push([by, tool_input]);
    });
    await agent.run("go");
    expect(results(agent.transcript()).slice(0, 2)).toEqual([
      "tool fails: Bash is denied by Bash(mkdir:*).",
      "tool fails: no links",
    ]);
    expect(readFileSync(join(cwd, "three"), "utf8")).toBe("fine\n");
    expect([existsSync(join(cwd, "denied-by-rule")), existsSync(join(cwd, "denied-by-hook"))]).toEqual([
      false,
      false,
    ]);
    expect(denied[0]).toEqual(["rule", { command: "mkdir denied-by-rule" }]);
  });
});

it("the sandbox of the agent holds for Bash and for the programs of turns", async () => {
  const turn_start = { command: "sh", args: ["-c", "echo x > by-turn-hook"], run_on_hook_input: true };
  const { agent, cwd } = agentOf([{ tool_calls: [call("Bash", { command: "echo x > by-bash" })] }], {
    tools: defaultTools(),
    sandbox: "read-only",
    ports: { turnHooks: async () => ({ trusted: true, turn_start }) },
  });
  await agent.run("go");
  const [result] = results(agent.transcript());
  expect(result).toMatch(
    noSandbox === undefined ? /^tool fails: .*Read-only file system/s : /^tool fails: .*sandbox/is,
  );
  expect(["by-turn-hook", "by-bash"].map((name) => existsSync(join(cwd, name)))).toEqual([false, false]);
});
