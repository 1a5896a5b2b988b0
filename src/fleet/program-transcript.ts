import { randomUUID } from "node:crypto";
import type { Said } from "../adapters/headless.ts";
import type { AgentMessage } from "../agent/messages/messages.ts";
import type { TranscriptOwner, TranscriptStore, Usage } from "../core/contracts/transcript.ts";

/**
 * The transcript of a program: what it was told, and what it says and does, as that of our own agent.
 *
 * @param told what the program is told, which is stored with the first thing that it says: an attempt that got nowhere leaves no
 * message.
 */
export function programTranscript(
  store: TranscriptStore,
  owner: TranscriptOwner,
  told: { readonly text: string; readonly source: "user" | "runtime"; readonly attempt: number },
  before: Usage | undefined,
) {
  const names = new Map<string, string>();
  let writing: Promise<void> = Promise.resolve();
  let hasBegun = false;
  let progressed = false;
  const base = () => ({
    id: randomUUID(),
    turn_id: `attempt-${told.attempt}`,
    created_at: new Date().toISOString(),
  });
  const append = (message: AgentMessage): void => {
    writing = writing.then(() => store.append(message, owner));
    // Who waits for the end is told.
    writing.catch(() => undefined);
  };
  const begin = (): void => {
    if (hasBegun) return;
    hasBegun = true;
    append({ ...base(), role: "user", source: told.source, parts: [{ type: "text", text: told.text }] });
  };
  const model = owner.agent_type ?? "";
  return {
    /** True once the program has said or done something in this attempt. */
    hasBegun: () => hasBegun,
    /** True once a tool has ended in this attempt. */
    progressed: () => progressed,
    add(said: Said): void {
      if (said.type === "session" || said.type === "end") return;
      begin();
      if (said.type === "text") {
        append({ ...base(), role: "assistant", model, parts: [said] });
      } else if (said.type === "call") {
        const { tool_use_id, tool_name, tool_input } = said;
        names.set(tool_use_id, tool_name);
        const call = { type: "tool_call", tool_use_id, tool_name, tool_input } as const;
        append({ ...base(), role: "assistant", model, parts: [call] });
      } else {
        progressed = true;
        const { tool_use_id, content, is_error } = said;
        const tool_name = names.get(tool_use_id) ?? "";
        const result = { type: "tool_result", tool_use_id, tool_name, content } as const;
        append({ ...base(), role: "tool", parts: [is_error ? { ...result, is_error } : result] });
      }
    },
    /** Waits for what is being stored, and stores how it ended. @throws what the store throws. */
    async end(status: "complete" | "error", used: Usage | undefined): Promise<void> {
      await writing;
      await store.save({ status, ...(used === undefined ? {} : { usage: sum(before, used) }) }, owner);
    },
  };
}

function sum(before: Usage = {}, used: Usage): Usage {
  const added = (name: "input_tokens" | "output_tokens" | "total_tokens" | "cost_usd") => {
    const [one, other] = [before[name], used[name]];
    return one === undefined && other === undefined ? {} : { [name]: (one ?? 0) + (other ?? 0) };
  };
  const tokens = { ...added("input_tokens"), ...added("output_tokens"), ...added("total_tokens") };
  return { ...tokens, ...added("cost_usd") };
}
