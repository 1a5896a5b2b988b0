import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHooks } from "tenterhook";
import {
  Agent,
  type AgentMessage,
  type AgentOptions,
  type ContinueOptions,
  scriptedModel,
  type Tool,
  type WaitingFor,
} from "tenterhook/agent";
import type { Hooks } from "tenterhook/core";
import { onTestFinished } from "vitest";

type Script = Parameters<typeof scriptedModel>[0];

/** A folder of its own for the test. */
export function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), "tenterhook-agent-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A tool that answers its text, and only reads. */
export const echo: Tool = {
  name: "Echo",
  description: "Answers the text.",
  input_schema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  annotations: { read_only: true },
  run: async ({ text }) => ({ content: String(text) }),
};

/** A tool that fails. */
export const broken: Tool = {
  ...echo,
  name: "Broken",
  run: async () => {
    throw new RangeError("it broke");
  },
};

/** A tool that changes something, and the texts it was called with. */
export function counting(name: string): { tool: Tool; ran: string[] } {
  const ran: string[] = [];
  const run: Tool["run"] = async ({ text }) => {
    ran.push(String(text));
    return { content: String(text) };
  };
  return { tool: { ...echo, name, annotations: {}, run }, ran };
}

/** A call of the echo tool. */
export function says(text: string, name = "Echo"): { name: string; input: { text: string } } {
  return { name, input: { text } };
}

/** An agent that plays a script; closed after the test. */
export function agentOf(
  steps: Script,
  options: Partial<AgentOptions> = {},
): { agent: Agent; hooks: Hooks; cwd: string } {
  const hooks = options.hooks ?? createHooks();
  const cwd = options.cwd ?? scratch();
  // Most tests are about something else than permissions.
  const open = options.permissions === undefined ? { mode: "bypass" as const } : {};
  const agent = new Agent({
    model: scriptedModel(steps),
    tools: [echo, broken],
    ...open,
    ...options,
    hooks,
    cwd,
  });
  onTestFinished(() => agent.close());
  return { agent, hooks, cwd };
}

/** What a human says to what an agent waits for now: a yes or no, or answers to questions. */
export function reply(agent: Pick<Agent, "waiting_for">, answer: unknown): ContinueOptions {
  const waits = agent.waiting_for;
  if (waits === undefined) throw new Error("The agent waits for nothing.");
  const { type, tool_use_id, ask } = innermost(waits);
  const call = { tool_use_id, ...(ask === undefined ? {} : { ask }) };
  // Also for what the types refuse.
  return (
    type === "question" ? { ...call, answers: answer } : { ...call, approval: answer }
  ) as ContinueOptions;
}

function innermost(waits: WaitingFor): Exclude<WaitingFor, { readonly type: "subagent" }> {
  return waits.type === "subagent" ? innermost(waits.waiting_for) : waits;
}

/** The conversation in short: who said what. */
export function story(messages: readonly AgentMessage[]): readonly string[] {
  return messages.flatMap(({ role, parts }) =>
    parts.map((part) => {
      if (part.type === "tool_call") return `${role} calls ${part.tool_name}`;
      if (part.type === "tool_result")
        return `${role} ${part.is_error === true ? "fails" : "answers"}: ${part.content}`;
      return `${role} ${part.type}: ${part.type === "file" ? part.media_type : part.text}`;
    }),
  );
}

/** The texts of a prompt as the model got it, message by message. */
export function promptTexts(
  prompt: readonly { readonly role: string; readonly content: unknown }[],
): readonly string[] {
  return prompt.map(({ role, content }) => `${role}: ${JSON.stringify(content)}`);
}
