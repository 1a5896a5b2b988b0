import { chmodSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHooks, hookInput } from "tenterhook";
import {
  type ActivityEntry,
  Agent,
  type AgentItem,
  type AgentStore,
  scriptedModel,
  type TurnHooks,
} from "tenterhook/agent";
import { memoryStore } from "tenterhook/stores";
import { describe, expect, it } from "vitest";
import { loadAgentFile } from "../../src/config/trust/turn-hooks.ts";
import { agentOf, scratch, story } from "./support/agents.ts";

/** A workspace with scripts, and a hook.toml that is read again at each turn. */
function workspace(toml: string, scripts: Readonly<Record<string, string>> = {}): string {
  const cwd = scratch();
  mkdirSync(join(cwd, ".agent"));
  writeFileSync(join(cwd, ".agent/hook.toml"), toml);
  for (const [name, source] of Object.entries(scripts)) {
    writeFileSync(join(cwd, name), `#!/bin/sh\n${source}\n`);
    chmodSync(join(cwd, name), 0o755);
  }
  return cwd;
}

const trusted = async (cwd: string, signal: AbortSignal): Promise<TurnHooks | undefined> => {
  const agent = await loadAgentFile(cwd, signal);
  return agent && { ...agent.hooks, folder: agent.folder, trusted: true };
};

function turnAgent(cwd: string, more: Parameters<typeof agentOf>[1] = {}) {
  return agentOf([], { cwd, ports: { turnHooks: trusted }, ...more });
}

const START = '[turn_start]\ncommand = "./start"\nargs = ["--foo", "bar baz"]\n';
const END = '[turn_end]\ncommand = "./end"\n';

describe("the program for a turn's start", () => {
  it("starts in the folder of its file, which may be above the workspace", async () => {
    const root = workspace('[turn_start]\ncommand = "./start"\n', { start: "cat > seen.json; pwd >&2" });
    const cwd = join(root, "packages/app");
    mkdirSync(cwd, { recursive: true });
    const { agent } = turnAgent(cwd);
    await agent.run("go");
    expect(story(agent.transcript())).toContain(`user hook_input: ${realpathSync(root)}`);
    expect(JSON.parse(readFileSync(join(root, "seen.json"), "utf8"))).toMatchObject({ cwd });
  });

  it("gets the turn as JSON, and its stderr joins the same turn once", async () => {
    const cwd = workspace(START, {
      start:
        'cat > seen.json; printf "%s|" "$@" > args; pwd > place; echo shown; echo "  mind the gap  " >&2',
    });
    const { agent } = turnAgent(cwd, { session: { source: "resume" } });
    await agent.run("go");
    expect(story(agent.transcript())).toEqual([
      "user text: go",
      "user hook_input: mind the gap",
      "assistant text: done",
    ]);
    expect(JSON.parse(readFileSync(join(cwd, "seen.json"), "utf8"))).toEqual({
      hook: "TurnStart",
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      cwd,
      sub_id: agent.transcript()[0]?.turn_id,
      session_source: "resume",
      is_hook_input_turn: false,
    });
    expect(readFileSync(join(cwd, "args"), "utf8")).toBe("--foo|bar baz|");
    expect(readFileSync(join(cwd, "place"), "utf8").trim()).toBe(cwd);
  });

  it("is told that the session was resumed, also when nobody said why it starts", async () => {
    const cwd = workspace(START, { start: "cat > seen.json" });
    const store = memoryStore();
    const { agent: first } = turnAgent(cwd, { store });
    await first.run("go");
    await first.close();
    const source = (): unknown => JSON.parse(readFileSync(join(cwd, "seen.json"), "utf8")).session_source;
    expect(source()).toBe("startup");
    const model = scriptedModel([]);
    const agent = await Agent.resume(first.agent_id, { model, store, cwd, ports: { turnHooks: trusted } });
    await agent.run("and now?");
    await agent.close();
    expect(source()).toBe("resume");
  });

  it("is shown with live output, and recorded in the activity", async () => {
    const cwd = workspace(START, { start: "echo out; sleep 0.05; echo err >&2; exit 3" });
    const items: AgentItem[] = [];
    const activity: ActivityEntry[] = [];
    const store: AgentStore = {
      append: () => {},
      record: (entry) => void activity.push(entry),
    };
    const { agent } = turnAgent(cwd, { store });
    await agent.run("go", { onItem: (item) => items.push(item) });
    const about = { run_id: expect.any(String), hook: "Hook(TurnStart)", hook_event_name: "TurnStart" };
    const command = ["./start", "--foo", "bar baz"];
    const run = {
      name: "Hook(TurnStart)",
      handler: "command",
      event_id: expect.any(String),
      started_at: expect.any(String),
      duration_ms: expect.any(Number),
      exit_code: 3,
      outcome: { action: "continue", hook_inputs: ["err"] },
    };
    const expected = [
      { type: "hook_begin", ...about, command },
      { type: "hook_output", ...about, stream: "stdout", text: "out\n" },
      { type: "hook_output", ...about, stream: "stderr", text: "err\n" },
      { type: "hook_end", ...about, run },
      { type: "hook_input", hook: "TurnStart", text: "err", command, stderr: "err", exit_code: 3 },
    ];
    expect(items.filter(({ type }) => type.startsWith("hook_"))).toEqual(expected);
    const stamp = { turn_id: expect.any(String), timestamp: expect.any(String) };
    expect(activity.filter(({ type }) => type !== "checkpoint")).toEqual(
      expected.map((item) => ({ ...item, ...stamp })),
    );
  });

  it("is recorded without secrets, also when one comes in two pieces", async () => {
    const secret = "sk-longsecret-valuepart-1234567890abcd";
    const cwd = workspace(START, {
      start: "printf sk-longsecret-; sleep 0.1; printf valuepart-1234567890abcd",
    });
    const store = memoryStore({ environment: { MY_API_KEY: secret } });
    const { agent } = turnAgent(cwd, { store });
    await agent.run("go");
    const activity = await store.activity(agent.agent_id);
    const outputs = activity.flatMap(({ item }) => (item !== undefined && "text" in item ? [item.text] : []));
    expect(outputs).toEqual(["[redacted]"]);
  });

  it("reads the model `HookInput (TurnStart): …` after the user's words", async () => {
    const prompts: unknown[] = [];
    const cwd = workspace(START, { start: "echo careful >&2" });
    const step = (request: { prompt: unknown }) => {
      prompts.push(request.prompt);
      return { text: "ok" };
    };
    const { agent } = agentOf([step], { cwd, ports: { turnHooks: trusted } });
    await agent.run("go");
    const text = (words: string) => ({ type: "text", text: words });
    expect(prompts).toEqual([
      [{ role: "user", content: [text("go"), text("HookInput (TurnStart): careful")] }],
    ]);
  });

  it("is ended by an interrupt, and its end is told", async () => {
    const cwd = workspace(START, { start: "echo here; sleep 300" });
    const { agent } = turnAgent(cwd);
    const ends: unknown[] = [];
    const result = await agent.run("go", {
      onItem: (item) => {
        if (item.type === "hook_output") agent.interrupt();
        if (item.type === "hook_end") ends.push(item.run.failure?.kind);
      },
    });
    expect([result.stop_reason, ends, story(agent.transcript())]).toEqual([
      "cancelled",
      ["cancelled"],
      ["user text: go", "assistant text: [Interrupted by the user.]"],
    ]);
  });
});

describe("the program for a turn's end", () => {
  it("starts follow-up turns, one after the other, until it says nothing or the ceiling holds", async () => {
    const cwd = workspace(END, {
      end: 'echo x >> count; [ $(wc -l < count) -lt 3 ] && echo "again $(wc -l < count)" >&2; exit 0',
    });
    const { agent, hooks } = turnAgent(cwd);
    const turns: unknown[] = [];
    hooks.on(["TurnStart", "UserPromptSubmit"], (event) => {
      turns.push([event.hook_event_name, Reflect.get(event, "is_hook_input_turn")]);
    });
    await agent.run("go");
    expect(story(agent.transcript())).toEqual([
      "user text: go",
      "assistant text: done",
      "user hook_input: again 1",
      "assistant text: done",
      "user hook_input: again 2",
      "assistant text: done",
    ]);
    expect(turns).toEqual([
      ["UserPromptSubmit", undefined],
      ["TurnStart", false],
      ["TurnStart", true],
      ["TurnStart", true],
    ]);
    const endless = turnAgent(workspace(END, { end: "echo again >&2" }), { limits: { hook_turns: 3 } });
    await endless.agent.run("go");
    expect(endless.agent.transcript()).toHaveLength(8);
  });

  it("takes its place in the queue with what hooks and clients want", async () => {
    const cwd = workspace(END, { end: "[ -e told ] || echo program >&2; touch told" });
    const hooks = createHooks();
    let submitted = false;
    const { agent } = turnAgent(cwd, { hooks });
    hooks.on("TurnEnd", () => {
      if (submitted) return undefined;
      submitted = true;
      return hookInput("hook");
    });
    hooks.on("Stop", () => {
      if (!submitted) void agent.submitHookInput({ hook: "client", text: "client" });
    });
    await agent.run("go");
    expect(story(agent.transcript()).filter((line) => line.startsWith("user"))).toEqual([
      "user text: go",
      "user hook_input: program",
      "user hook_input: client",
      "user hook_input: hook",
    ]);
  });
});

describe("turn hooks", () => {
  it("skip the start of hook-started turns when run_on_hook_input is false", async () => {
    const cwd = workspace(`${START}run_on_hook_input = false\n${END}`, {
      start: "echo start >&2",
      end: "[ -e told ] || echo end >&2; touch told",
    });
    const { agent } = turnAgent(cwd);
    await agent.run("go");
    expect(story(agent.transcript()).filter((line) => line.startsWith("user"))).toEqual([
      "user text: go",
      "user hook_input: start",
      "user hook_input: end",
    ]);
  });

  it("that can't be read or started are shown, and the session goes on", async () => {
    const cwd = workspace("[turn_start]\ncomand = 'x'\n");
    const { agent } = turnAgent(cwd);
    const messages: string[] = [];
    const listen = {
      onItem: (item: AgentItem) => {
        if (item.type === "error") messages.push(item.message);
        if (item.type === "hook_end") messages.push(item.run.failure?.message ?? "fine");
      },
    };
    expect(await agent.run("go", listen)).toMatchObject({ stop_reason: "complete" });
    expect(messages).toEqual([expect.stringContaining("comand")]);
    writeFileSync(join(cwd, ".agent/hook.toml"), '[turn_start]\ncommand = "./not-there"\n');
    expect(await agent.run("go", listen)).toMatchObject({ stop_reason: "complete" });
    expect(messages.slice(1)).toEqual([expect.stringContaining("not-there")]);
    writeFileSync(join(cwd, ".agent/hook.toml"), "[turn_start]\ncomand = 'x'\n");
    await agent.run("go", listen);
    expect(messages.slice(2)).toEqual([messages[0]]);
  });

  it("obey deny rules though their file is trusted, and ask when it is not", async () => {
    const cwd = workspace(START, { start: "echo ran >&2" });
    const denied = turnAgent(cwd, { permissions: { deny: ["Bash(./start:*)"] } });
    const notices: string[] = [];
    await denied.agent.run("go", { onItem: (item) => item.type === "notice" && notices.push(item.text) });
    expect(story(denied.agent.transcript())).toEqual(["user text: go", "assistant text: done"]);
    expect(notices[0]).toMatch(/^Hook\(TurnStart\) did not run: /);
    const asked: unknown[] = [];
    const untrusted = turnAgent(cwd, {
      ports: {
        turnHooks: async (folder, signal) => {
          const agent = await loadAgentFile(folder, signal);
          return agent && { ...agent.hooks, trusted: false };
        },
      },
      approval: (request) => {
        asked.push([request.kind, request.subject]);
        return asked.length !== 1;
      },
    });
    await untrusted.agent.run("go");
    await untrusted.agent.run("go");
    expect(asked).toEqual([
      ["turn_hook", "./start --foo 'bar baz'"],
      ["turn_hook", "./start --foo 'bar baz'"],
    ]);
    expect(story(untrusted.agent.transcript()).filter((line) => line.includes("hook_input"))).toEqual([
      "user hook_input: ran",
    ]);
  });

  it("that are not trusted are named once in a session, with the way to trust them", async () => {
    const cwd = workspace(`${START}${END}`, { start: "echo ran >&2", end: "echo ran >&2" });
    const { agent } = agentOf([], { cwd });
    const shown: AgentItem[] = [];
    const listen = { onItem: (item: AgentItem) => item.type === "notice" && shown.push(item) };
    await agent.run("nobody listens");
    await agent.run("first", listen);
    await agent.run("second", listen);
    const notice = (hook: string, program: string) => ({
      type: "notice",
      level: "warning",
      hook,
      text: `Hook(${hook}) did not run: ${program} of .agent/hook.toml is not trusted. Look at what it does and trust it with: tenterhook trust`,
    });
    const both = [notice("TurnStart", "./start --foo 'bar baz'"), notice("TurnEnd", "./end")];
    expect(shown).toEqual(both);
    writeFileSync(join(cwd, ".agent/hook.toml"), '[turn_start]\ncommand = "./other"\n');
    await agent.run("another program", listen);
    expect(shown).toEqual([...both, notice("TurnStart", "./other")]);
    expect(story(agent.transcript()).filter((line) => line.includes("hook_input"))).toEqual([]);
  });

  it("get no keys in their environment", async () => {
    const cwd = workspace(START, { start: 'echo "[$ANTHROPIC_API_KEY][$PLAIN]" >&2' });
    const environment = { PATH: process.env.PATH, ANTHROPIC_API_KEY: "secret", PLAIN: "plain" };
    const { agent } = turnAgent(cwd, { environment });
    await agent.run("go");
    expect(story(agent.transcript())[1]).toBe("user hook_input: [][plain]");
  });
});

describe("a client", () => {
  it("submits a hook input itself: a turn of its own, within the ceiling", async () => {
    const { agent } = agentOf([], { limits: { hook_turns: 1 } });
    expect(await agent.submitHookInput({ hook: "monitor", text: "wake up" })).toMatchObject({
      stop_reason: "complete",
    });
    expect(story(agent.transcript())).toEqual(["user hook_input: wake up", "assistant text: done"]);
    await expect(agent.submitHookInput({ hook: "monitor", text: "again" })).rejects.toMatchObject({
      code: "hook_turn_limit",
    });
    await agent.run("hello");
    expect(await agent.submitHookInput({ hook: "monitor", text: "again" })).toMatchObject({
      stop_reason: "complete",
    });
  });
});
