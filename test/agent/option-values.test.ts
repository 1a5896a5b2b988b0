import { createHooks } from "tenterhook";
import { Agent, agentPermissions, defaultTools, scriptedModel } from "tenterhook/agent";
import { expect, it } from "vitest";
import { echo, story } from "./support/agents.ts";

const made = (options: object) => () => new Agent({ model: scriptedModel([]), ...options });

it.each<[object, string]>([
  [{ mode: "yolo" }, 'mode is "yolo"; it must be bypass, accept-edits, default, dont-ask'],
  [{ sandbox: "on" }, 'sandbox is "on"; it must be off, workspace-write, read-only or a function'],
  [{ session: { source: "start" } }, 'source is "start"; it must be startup, resume, clear, compact or fork'],
  [{ cwd: 7 }, "cwd is 7; it must be a string"],
  [{ session: { session_id: "" } }, 'session_id is ""; it must be a string that is not empty'],
  [{ session: { agent_id: 7 } }, "agent_id is 7; it must be a string that is not empty"],
  [{ session: { agent_type: "" } }, 'agent_type is ""; it must be a string that is not empty'],
  [{ system_prompt: ["be good"] }, 'system_prompt is ["be good"]; it must be a string'],
  [{ workspace: "/srv" }, 'workspace is "/srv"; it must be a list of strings'],
  [{ context: { memory_files: "AGENTS.md" } }, 'memory_files is "AGENTS.md"; it must be a list of strings'],
  [{ suspend: "yes" }, 'suspend is "yes"; it must be true or false'],
  [
    { session: { checkpoint_messages: 0 } },
    "checkpoint_messages is 0; it must be a whole number of 1 or more",
  ],
  [{ models: { fallback: "openai/gpt-5" } }, 'fallback is "openai/gpt-5"; it must be a list'],
  [
    { approval: true },
    "approval is true; it must be a function, or an object with ask, timeout, default or answers",
  ],
  [{ approval: { ask: true } }, "approval: ask is true; it must be a function"],
  [{ session_id: "a" }, 'new Agent has no option "session_id": it belongs to "session".'],
  [{ session: { sesion_id: "a" } }, 'session has the unknown key "sesion_id". Did you mean "session_id"?'],
  [{ models: [] }, "new Agent: models must be an object"],
  [{ approve: () => true }, 'new Agent has the unknown key "approve"'],
  [{ tools: "Read" }, "tools must be a list of tools, or tools of the AI SDK by name"],
  [{ tools: [{ ...echo, run: undefined }] }, "tools[0] is not a tool: it needs name, input_schema and run"],
  [{ hooks: [] }, "hooks is []; it must be a hook set, made by createHooks"],
  [
    { telemetry: { tracer: {} } },
    'telemetry is {"tracer":{}}; it must be true, false or an object with a tracer',
  ],
  [{ store: {} }, "store is {}; it must be a store, with append"],
  [{ agents: [{ nam: "reviewer" }] }, 'agents[0] has the unknown key "nam". Did you mean "name"?'],
  [{ agents: [{ name: "reviewer" }] }, "agents[0]: description is missing; it must be a string"],
  [
    { agents: [{ name: "r", description: "d", tools: "Read" }] },
    'tools is "Read"; it must be a list of strings',
  ],
  [{ context: { compaction: { tokens: 9 } } }, 'compaction has the unknown key "tokens"'],
  [{ context: { compaction: { threshold_tokens: "9" } } }, 'compaction: threshold_tokens is "9"'],
])("an agent is not made with %j", (options, message) => {
  expect(made(options)).toThrow(message);
});

it("a rule under a key nobody reads, or that is no list, is no silence: nothing is permitted by mistake", () => {
  const typed: object = { mode: "bypass", denny: ["Write"] };
  const single: object = { deny: "Write" };
  for (const permissions of [typed, single]) expect(made({ permissions })).toThrow(/permissions/);
  expect(() => agentPermissions(typed)).toThrow(
    'permissions has the unknown key "denny". Did you mean "deny"?',
  );
  expect(() => agentPermissions(single)).toThrow('permissions.deny must be a list of rules, not "Write"');
});

it("what is right is taken", () => {
  const options = {
    mode: "plan",
    sandbox: "off",
    workspace: ["/srv"],
    suspend: false,
    session: { checkpoint_messages: 1 },
    models: { fallback: ["openai/gpt-5"] },
    approval: undefined,
    tools: [echo],
    agents: [{ name: "reviewer", description: "Reviews.", tools: ["Echo"], max_iterations: 3 }],
    hooks: createHooks(),
    context: {
      memory_files: [],
      compaction: {
        threshold_tokens: 9,
        keep_tokens: 180,
        model: scriptedModel([]),
        instructions: "Keep names.",
      },
    },
  };
  expect(made(options)).not.toThrow();
});

it("a command does not run when the callback for the sandbox returns none", async () => {
  const wrong = { sandbox: () => undefined };
  const call = { tool_calls: [{ name: "Bash", input: { command: "echo ran" } }] };
  const agent = new Agent({
    model: scriptedModel([call]),
    tools: defaultTools(),
    mode: "bypass",
    ...Object(wrong),
  });
  await agent.run("go");
  expect(story(agent.transcript()).find((line) => line.startsWith("tool"))).toBe(
    "tool fails: The function sandbox returned undefined; it must be off, workspace-write or read-only.",
  );
  await agent.close();
});
