import type { AgentMessage } from "../../../../src/agent/messages/messages.ts";

/** An instant all times of tests count from. */
export const START = Date.UTC(2026, 0, 2, 3, 4, 5);

const made = { turn_id: "turn-1", created_at: "2026-01-02T03:04:05.000Z" };

/** One message of every kind, with every kind of part. */
export const EVERY_KIND: readonly AgentMessage[] = [
  {
    ...made,
    id: "user",
    role: "user",
    source: "user",
    parts: [
      { type: "text", text: 'Größe, 大小, 🙂\n\u2028\u0000\t"\\' },
      { type: "context", text: "known", hook: "notes", role: "system" },
    ],
  },
  {
    ...made,
    id: "hook",
    role: "user",
    source: "hook",
    lifetime: "turn",
    parts: [{ type: "hook_input", hook: "TurnStart", text: "tests fail" }],
  },
  { ...made, id: "runtime", role: "user", source: "runtime", parts: [{ type: "text", text: "" }] },
  {
    ...made,
    id: "calls",
    role: "assistant",
    model: "scripted/model",
    finish_reason: "tool_calls",
    usage: { input_tokens: 12, output_tokens: 3 },
    parts: [
      { type: "reasoning", text: "hm", provider_metadata: { anthropic: { signature: "abc==" } } },
      { type: "text", text: "I look.", provider_metadata: { openai: { itemId: "1" } } },
      {
        type: "tool_call",
        tool_use_id: "call-1",
        tool_name: "Read",
        tool_input: { file_path: "/a", n: [1, null] },
      },
      { type: "tool_call", tool_use_id: "call-2", tool_name: "Bash", tool_input: {}, invalid_input: "{" },
    ],
  },
  {
    ...made,
    id: "result",
    role: "tool",
    parts: [{ type: "tool_result", tool_use_id: "call-1", tool_name: "Read", content: "x".repeat(100_000) }],
  },
  {
    ...made,
    id: "refused",
    role: "tool",
    parts: [
      {
        type: "tool_result",
        tool_use_id: "call-2",
        tool_name: "Bash",
        content: "half \ud83d of a character",
        is_error: true,
        outcome: "denied",
      },
    ],
  },
  { ...made, id: "end", role: "assistant", model: "scripted/model", ended: "limit", parts: [] },
];

/** A plain message of a turn. */
export function textMessage(id: string, turn_id = "turn-1") {
  return { id, turn_id, role: "user", parts: [{ type: "text", text: `text of ${id}` }] };
}

/** Ids `prefix-0`, `prefix-1` … */
export function ids(count: number, prefix = "m"): readonly string[] {
  return Array.from({ length: count }, (_, number) => `${prefix}-${number}`);
}
