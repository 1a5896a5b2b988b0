import { isRecord } from "../base/json.ts";
import type { AskAboutCall, CallToJudge, ToolCall } from "./tool-call-types.ts";

/** Whose calls these are, and who is asked. */
export type HookToolsOptions = Omit<
  CallToJudge,
  "tool_name" | "tool_input" | "tool_use_id" | "signal" | "tool"
> &
  Pick<ToolCall, "replay"> & {
    /** Asks a human when a hook wants one asked. Without it the call is refused. */
    readonly approval?: AskAboutCall | undefined;
  };

/** What the AI SDK gives a tool with its input. */
interface CallOptions {
  readonly toolCallId?: string;
  readonly abortSignal?: AbortSignal | undefined;
}

/**
 * Puts hooks around tools of the AI SDK, for `generateText`, `streamText` and agents made of them. Each call passes as
 * `hooks.toolCall` says: a denied one fails with the reason, which the model reads. A tool without `execute` stays as it is.
 *
 * @param tools tools by name.
 * @example
 * const { text } = await generateText({ model, prompt, tools: hookTools(hooks, { weather }) });
 */
export function hookTools<Tools extends Readonly<Record<string, object>>>(
  hooks: { toolCall(call: ToolCall): Promise<unknown> },
  tools: Tools,
  options: HookToolsOptions = {},
): Tools {
  const hooked = { ...tools };
  for (const [tool_name, tool] of Object.entries(tools)) {
    if (!("execute" in tool) || typeof tool.execute !== "function") continue;
    const { execute: run } = tool;
    const execute = (given: unknown, call: CallOptions = {}): Promise<unknown> =>
      hooks.toolCall({
        ...options,
        tool_name,
        tool_input: isRecord(given) ? given : {},
        ...(call.toolCallId === undefined ? {} : { tool_use_id: call.toolCallId }),
        signal: call.abortSignal,
        execute: (input, { signal }) => run.call(tool, input, { ...call, abortSignal: signal }),
      });
    Reflect.set(hooked, tool_name, { ...tool, execute });
  }
  return hooked;
}
