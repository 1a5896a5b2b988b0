import {
  inPieces,
  type Protocol,
  type ServerEvent,
  type ServerReply,
  type ServerRequest,
} from "./model-server.ts";

/** OpenAI's chat completions as Ollama, vLLM and LM Studio serve them, whole and as server-sent events. */
export const OPENAI_CHAT: Protocol = {
  key: "compatible-test-key",
  base: "/v1",
  keyOf: (headers) => headers.authorization?.replace("Bearer ", ""),
  accepts: (path) => path === "/v1/chat/completions",
  wantsStream: ({ body }) => body.stream === true,
  whole: (reply, request) => ({
    ...envelope("chat.completion", request),
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: reply.text ?? null, ...toolCalls(reply) },
        finish_reason: finishReason(reply),
      },
    ],
    usage: usageOf(reply),
  }),
  stream: streamOf,
  error: (_, message, code) => ({
    error: { message, type: "api_error", param: null, code: code ?? null },
  }),
};

function envelope(object: string, { body }: ServerRequest) {
  return { id: "chatcmpl-1", object, created: 1_700_000_000, model: body.model };
}

function callOf({ id, name, input }: { readonly id: string; readonly name: string; readonly input: object }) {
  return { id, type: "function", function: { name, arguments: JSON.stringify(input) } };
}

function sentOf(text: string, { cut_input }: ServerReply): string {
  return cut_input ? text.slice(0, text.length / 2) : text;
}

function toolCalls({ tool_calls = [] }: ServerReply) {
  return tool_calls.length === 0 ? {} : { tool_calls: tool_calls.map(callOf) };
}

function usageOf({ usage = { input: 10, output: 5 } }: ServerReply) {
  return {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cache_read ?? 0 },
    completion_tokens_details: { reasoning_tokens: usage.reasoning ?? 0 },
  };
}

function finishReason({ tool_calls = [], too_long, ends }: ServerReply): string {
  if (ends !== undefined) return "content_filter";
  if (too_long) return "length";
  return tool_calls.length > 0 ? "tool_calls" : "stop";
}

function streamOf(reply: ServerReply, request: ServerRequest): readonly ServerEvent[] {
  const chunk = (delta: object, finish_reason: string | null = null): ServerEvent => ({
    data: { ...envelope("chat.completion.chunk", request), choices: [{ index: 0, delta, finish_reason }] },
  });
  const calls = (reply.tool_calls ?? []).flatMap((call, index) => {
    const whole = callOf(call);
    return [
      chunk({ tool_calls: [{ index, ...whole, function: { ...whole.function, arguments: "" } }] }),
      ...inPieces(sentOf(whole.function.arguments, reply)).map((piece) =>
        chunk({ tool_calls: [{ index, function: { arguments: piece } }] }),
      ),
    ];
  });
  return [
    chunk({ role: "assistant", content: "" }),
    ...inPieces(reply.text ?? "").map((content) => chunk({ content })),
    ...calls,
    chunk({}, finishReason(reply)),
    { data: { ...envelope("chat.completion.chunk", request), choices: [], usage: usageOf(reply) } },
    { data: "[DONE]" },
  ];
}
