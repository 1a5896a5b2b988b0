import { createHooks } from "tenterhook";
import { type AgentOptions, defaultTools, type Tool } from "tenterhook/agent";

import { memoryStore, type TranscriptStore } from "tenterhook/stores";
import { agentOf, echo } from "./agents.ts";

/** A step of a script. */
export interface Step {
  readonly text?: string;
  readonly error?: { readonly status: number; readonly message: string };
  readonly tool_calls?: { name: string; input: Record<string, unknown>; id?: string }[];
}

/** A call of Task. */
export function task(more: Record<string, unknown> = {}, id?: string) {
  const input = { agent_type: "general-purpose", task: "CHILD: work.", description: "work", ...more };
  return { name: "Task", input, ...(id === undefined ? {} : { id }) };
}

/** A model for parent and child: each plays its own steps, whichever is asked first. */
export function both(parent: readonly (Step | (() => Step))[], child: readonly Step[]) {
  const left = { parent: [...parent], child: [...child] };
  const asked = { parent: 0, child: 0 };
  const play = ({ prompt }: { prompt: readonly { role: string; content: unknown }[] }): Step => {
    const first = prompt.find(({ role }) => role === "user");
    const whose = JSON.stringify(first?.content).includes("CHILD:") ? "child" : "parent";
    asked[whose] += 1;
    const step = left[whose].shift() ?? { text: `${whose} is past the end` };
    return typeof step === "function" ? step() : step;
  };
  return { steps: Array.from({ length: 30 }, () => play), asked };
}

/** A tool that must not run twice: what it was paid for is in the list. */
export function payments(): { readonly tool: Tool; readonly paid: string[] } {
  const paid: string[] = [];
  const tool: Tool = {
    ...echo,
    name: "Pay",
    annotations: {},
    run: async ({ text }) => {
      paid.push(String(text));
      return { content: "paid" };
    },
  };
  return { tool, paid };
}

/** What a store keeps at this moment, in a store of its own: what another process would find. */
export async function copyOf(store: TranscriptStore): Promise<TranscriptStore> {
  const copy = memoryStore();
  const { transcripts } = await store.list({ limit: 1000 });
  for (const metadata of transcripts.toReversed()) {
    const stored = await store.load(metadata.agent_id);
    for (const message of stored?.messages ?? []) await copy.append(message, metadata);
    const { title, status, usage, error, waiting_for } = metadata;
    await copy.save(
      {
        status,
        ...(title === undefined ? {} : { title }),
        ...(usage === undefined ? {} : { usage }),
        ...(error === undefined ? {} : { error }),
        ...(waiting_for === undefined ? {} : { waiting_for }),
      },
      metadata,
    );
  }
  return copy;
}

/** Runs an agent and takes a copy of its store when the last of its tasks is done and its result is not kept yet. */
export async function cutOffAfterTask(
  steps: Parameters<typeof agentOf>[0],
  options: Partial<AgentOptions> & { readonly tools: readonly Tool[] },
): Promise<{ readonly agent_id: string; readonly store: TranscriptStore }> {
  const store = memoryStore();
  const hooks = createHooks();
  const copies: TranscriptStore[] = [];
  const copy = async (): Promise<void> => {
    copies.push(await copyOf(store));
  };
  hooks.on("PostToolUse", { tools: ["Task"] }, copy);
  hooks.on("PostToolUseFailure", { tools: ["Task"] }, copy);
  const { agent } = agentOf(steps, { ...options, store, hooks });
  await agent.run("Delegate.");
  const last = copies.at(-1);
  if (last === undefined) throw new Error("No task was done.");
  return { agent_id: agent.agent_id, store: last };
}

/** All tools, and some more. */
export function toolsWith(...more: readonly Tool[]): readonly Tool[] {
  return [...defaultTools(), ...more];
}
