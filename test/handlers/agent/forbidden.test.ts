import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHooks } from "tenterhook";
import { defaultTools, scriptedModel } from "tenterhook/agent";
import { internals } from "tenterhook/core";
import { expect, it } from "vitest";
import { payloadOf } from "../../../src/adapters/agents.ts";
import { Agent } from "../../../src/agent/agent.ts";
import { judgeOptions } from "../../../src/agent/ask-once.ts";
import { agentHandler } from "../../../src/handlers/judge/agent.ts";
import { nodeRulePorts } from "../../../src/node/ports.ts";
import type { JudgeAgentRequest } from "../../../src/shared/contracts/judge.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const signal = new AbortController().signal;

it.each(["deny", "ask"])("a judge does not see what rules of the configuration %s", async (kind) => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, ".env"), "KEY=hidden\n");
  writeFileSync(join(cwd, "a.txt"), "open\n");
  const forbids = { [kind]: ["Read(.env)"] };
  const model = scriptedModel([
    {
      tool_calls: [
        { name: "Read", input: { file_path: ".env" } },
        { name: "Read", input: { file_path: "a.txt" } },
      ],
    },
    { text: "{}" },
  ]);
  const request = { model: "", cwd, system: "Judge.", prompt: "", max_turns: 3, signal, forbids };
  const agent = new Agent({ ...judgeOptions(request, model, defaultTools()), hooks: createHooks() });
  await agent.run("Look around.");
  await agent.close();
  const results = agent.transcript().flatMap(({ role, parts }) => (role === "tool" ? parts : []));
  expect(results.map(({ is_error = false, content }) => [is_error, content.includes("hidden")])).toEqual([
    [true, false],
    [false, false],
  ]);
});

it("an agent hook hands its judge what the configuration forbids", async () => {
  const asked: JudgeAgentRequest[] = [];
  const forbids = { deny: ["Read(.env)"], ask: [] };
  const handler = await agentHandler(
    { name: "judge", prompt: "May it?", model: "scripted:x.json" },
    {
      events: ["PreToolUse"],
      site: { root: "/", forbids },
      ports: {
        rules: nodeRulePorts,
        payloadOf,
        environment: {},
        judgeAgent: async (request) => {
          asked.push(request);
          return { text: '{"ok": true, "reason": ""}' };
        },
      },
    },
  );
  const hooks = createHooks();
  internals(hooks).register("PreToolUse", {}, handler);
  const call = { tool_name: "Bash", tool_input: { command: "ls" } };
  await hooks.fire({ hook_event_name: "PreToolUse", session_id: "s", cwd: "/", ...call });
  expect(asked.map((request) => request.forbids)).toEqual([forbids]);
});
