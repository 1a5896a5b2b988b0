import { appendFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { processLooks } from "../../src/monitor/daemon/liveness.ts";
import { takeIn } from "../../src/monitor/intake/take-in.ts";
import { createMonitor } from "../../src/monitor/monitor.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { monitorEvent } from "./support/events.ts";
import { openStore } from "./support/open-store.ts";
import { ASKER, hookIn } from "./support/waiting-hook.ts";

const QUESTION = { prompt_type: "question", question: [{ question: "Which colour?" }] };
const LATER = "2099-01-01T00:00:00.000Z";

/** An agent at work that writes a transcript, and looks at it. Everything happens a second after the thing before. */
async function agentOf(host: string) {
  const store = await openStore();
  const transcript_path = join(temporaryFolder(), "session.jsonl");
  writeFileSync(transcript_path, "");
  let last = Date.now() - 40_000;
  const next = (): Date => {
    last += 1000;
    return new Date(last);
  };
  const report = (type: string, fields: object = {}) =>
    takeIn(store, [monitorEvent(type, { time: next().toISOString(), ...fields })]);
  await report("agent:start", { host, transcript_path });
  await report("agent:turn");
  const monitor = createMonitor(store);
  const looks = processLooks(monitor, async () => undefined, { newIn: () => undefined });
  return {
    store,
    monitor,
    report,
    write(...entries: readonly object[]) {
      for (const entry of entries)
        appendFileSync(transcript_path, `${JSON.stringify({ timestamp: next().toISOString(), ...entry })}\n`);
      utimesSync(transcript_path, next(), next());
    },
    async look() {
      await looks();
      return (await store.agents())[0];
    },
  };
}

const ended = (more: object = {}) => ({
  type: "event_msg",
  payload: { type: "task_complete", last_agent_message: null, ...more },
});
const failed = (info: object | string, message = "unexpected status") =>
  ended({ error: { message, codex_error_info: info } });
const STARTED = { type: "event_msg", payload: { type: "task_started" } };

describe("the transcript of Codex", () => {
  it("says that its user has interrupted the turn", async () => {
    const agent = await agentOf("codex");
    agent.write(STARTED, { type: "event_msg", payload: { type: "turn_aborted", reason: "interrupted" } });
    expect(await agent.look()).toMatchObject({ state: "idle", interrupted: true, source: "transcript" });
  });

  it.each([
    ["rate_limited", { response_too_many_failed_attempts: { http_status_code: 429 } }],
    ["out_of_credits", { http_connection_failed: { http_status_code: 402 } }],
    ["unauthorized", { http_connection_failed: { http_status_code: 401 } }],
    ["no_internet", { response_stream_disconnected: { http_status_code: null } }],
    ["rate_limited", "usage_limit_exceeded"],
    ["rate_limited", "server_overloaded"],
    ["other", "bad_request"],
  ])("says that a turn failed: %s", async (error_type, info) => {
    const agent = await agentOf("codex");
    agent.write(STARTED, failed(info));
    const expected = {
      state: "failed",
      error_type,
      error_message: "unexpected status",
      source: "transcript",
    };
    expect(await agent.look()).toMatchObject(expected);
  });

  it("says that a turn has ended which no hook reported", async () => {
    const agent = await agentOf("codex");
    agent.write(STARTED, ended());
    expect(await agent.look()).toMatchObject({ state: "idle", source: "transcript" });
  });

  it("says nothing about a turn that began later", async () => {
    const agent = await agentOf("codex");
    agent.write(STARTED, failed("bad_request"));
    await agent.report("agent:turn");
    expect(await agent.look()).toMatchObject({ state: "working", source: "hook" });
    agent.write(STARTED);
    expect(await agent.look()).toMatchObject({ state: "working", source: "hook" });
  });
});

describe("the transcript of Claude Code", () => {
  const interrupted = {
    type: "user",
    message: {
      role: "user",
      content: [{ type: "text", text: "[Request interrupted by user for tool use]" }],
    },
  };

  it("says that its user has interrupted the turn, though a hook waits for an answer", async () => {
    const agent = await agentOf("claude");
    await agent.report("agent:prompt", { ...QUESTION, waits_until: LATER });
    agent.write(interrupted);
    expect(await agent.look()).toMatchObject({ state: "idle", interrupted: true, source: "transcript" });
    expect(await agent.store.decisions("open")).toEqual([]);
  });

  it("says so, too, when the agent has ended the hook in the meantime", async () => {
    const agent = await agentOf("claude");
    await agent.report("agent:prompt", { ...QUESTION, id: "e-held", waits_until: LATER });
    agent.write(interrupted);
    await agent.report("agent:answer", { prompt: "e-held", state_source: "inferred" });
    expect(await agent.look()).toMatchObject({ state: "idle", interrupted: true, source: "transcript" });
  });

  it("shows work otherwise, and what a user types about interruptions is no interruption", async () => {
    const agent = await agentOf("claude");
    const prompt = "Why did you say [Request interrupted by user]?";
    agent.write({ type: "user", message: { role: "user", content: prompt } });
    expect(await agent.look()).toMatchObject({ state: "working", source: "hook" });
  });

  const PERMISSION = {
    id: "e-held",
    prompt_type: "permission",
    question: { tool_name: "Bash", tool_input: { command: "touch x" } },
    waits_until: LATER,
  };
  const uses = (id: string, command: string) => ({
    type: "assistant",
    message: { content: [{ type: "tool_use", id, name: "Bash", input: { command } }] },
  });
  const result = (tool_use_id: string) => ({
    type: "user",
    message: { content: [{ type: "tool_result", tool_use_id, content: "" }] },
  });

  it("shows that its user refused a call at the terminal that was permitted from elsewhere", async () => {
    const agent = await agentOf("claude");
    await agent.report("agent:prompt", { ...PERMISSION, id: "p1", asker: ASKER.asker, call_key: "k1" });
    agent.write(uses("t1", "touch x"));
    const answering = agent.monitor.resolve("p1", { choices: ["allow"] }, { by: "anna", channel: "cli" });
    await hookIn(agent.monitor, agent.store, { id: "p1" });
    expect((await answering).resolved?.fate).toBe("given");
    const content = "The user doesn't want to proceed with this tool use. The tool use was rejected.";
    agent.write({
      type: "user",
      message: { content: [{ type: "tool_result", tool_use_id: "t1", content, is_error: true }] },
    });
    const { given, state } = (await agent.look()) ?? {};
    expect({ given, state }).toEqual({ state: "working" });
    expect(await agent.store.decisions("all")).toMatchObject([{ resolved: { fate: "unused" } }]);
  });

  it("has the result of a call that was permitted at the terminal, though a hook waits", async () => {
    const agent = await agentOf("claude");
    agent.write(uses("t1", "touch x"), result("t1"));
    await agent.report("agent:prompt", PERMISSION);
    // Of an equal call before this one, which is not written yet.
    expect(await agent.look()).toMatchObject({ state: "prompting" });
    agent.write(uses("t2", "touch x"), uses("t3", "ls"), result("t3"));
    expect(await agent.look()).toMatchObject({ state: "prompting" });
    agent.write(result("t2"));
    expect(await agent.look()).toMatchObject({ state: "working", source: "transcript" });
    expect(await agent.store.decisions("all")).toMatchObject([
      { state: "dismissed", resolved: { by: "Answered in the terminal." } },
    ]);
  });

  it("is read before an answer from elsewhere is given", async () => {
    const agent = await agentOf("claude");
    await agent.report("agent:prompt", PERMISSION);
    agent.write(uses("t1", "touch x"), result("t1"));
    const answering = agent.monitor.resolve("e-held", { choices: ["allow"] }, { by: "me", channel: "cli" });
    await expect(answering).rejects.toThrow("Too late: answered in the terminal.");
    expect(await agent.store.decisions("all")).toMatchObject([{ state: "dismissed" }]);
  });

  it("that is damaged says nothing", async () => {
    const agent = await agentOf("claude");
    agent.write({ type: "user", message: 7 }, { type: "assistant", isApiErrorMessage: "yes" });
    expect(await agent.look()).toMatchObject({ state: "working" });
  });
});

describe("the transcript of Gemini CLI", () => {
  const cancelled = [
    {
      functionResponse: { response: { error: "[Operation Cancelled] Reason: Operation cancelled by user" } },
    },
  ];

  it("says that its user has interrupted the turn, before the results of what was cancelled", async () => {
    const agent = await agentOf("gemini");
    agent.write(
      { type: "user", content: [{ text: "please go" }] },
      { type: "info", content: "Request cancelled." },
      { type: "gemini", content: "", toolCalls: [{ name: "run_shell_command", result: cancelled }] },
      { type: "user", content: cancelled },
    );
    expect(await agent.look()).toMatchObject({ state: "idle", interrupted: true, source: "transcript" });
  });

  it("says so after Esc at a permission, too, where the conversation so far is recorded again", async () => {
    const agent = await agentOf("gemini");
    const denied = [{ functionResponse: { response: { error: "Reason: User denied execution." } } }];
    agent.write(
      { type: "user", content: [{ text: "please go" }] },
      { type: "gemini", content: "", toolCalls: [{ name: "run_shell_command", result: denied }] },
      { type: "info", content: "Request cancelled." },
      {
        type: "user",
        content: [{ text: "<session_context>\nThis is the Gemini CLI." }, { text: "please go" }],
      },
    );
    expect(await agent.look()).toMatchObject({ state: "idle", interrupted: true, source: "transcript" });
  });

  it("says that a turn failed", async () => {
    const agent = await agentOf("gemini");
    const content =
      '[API Error: {"error":{"message":"API key not valid.","code":401,"status":"UNAUTHENTICATED"}}]';
    agent.write({ type: "user", content: [{ text: "please go" }] });
    // Its hook says that the turn has ended, as after any other.
    await agent.report("agent:stopped");
    expect(await agent.look()).toMatchObject({ state: "idle", source: "hook" });
    agent.write({ type: "error", content });
    // The hook may take longer than Gemini CLI takes to write.
    await agent.report("agent:stopped");
    expect(await agent.look()).toMatchObject({ state: "failed", error_type: "unauthorized" });
    await agent.report("agent:stopped");
    expect(await agent.look()).toMatchObject({ state: "failed", error_type: "unauthorized" });
  });
});
