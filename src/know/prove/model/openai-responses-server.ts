import {
  inPieces,
  type Protocol,
  type ServerEvent,
  type ServerReply,
  type ServerRequest,
} from "./model-server.ts";

/** OpenAI's responses, whole and as server-sent events. */
export const OPENAI_RESPONSES: Protocol = {
  key: "openai-test-key",
  base: "/v1",
  keyOf: (headers) => headers.authorization?.replace("Bearer ", ""),
  accepts: (path) => path === "/v1/responses",
  wantsStream: ({ body }) => body.stream === true,
  whole: (reply, request) => responseOf(reply, request, itemsOf(reply)),
  stream: streamOf,
  error: (status, message, code) => ({
    error: {
      message,
      type: status === 429 ? "requests" : "invalid_request_error",
      param: null,
      code: code ?? null,
    },
  }),
  streamError: (_, message) => ({
    event: "error",
    data: { type: "error", code: "server_is_overloaded", message, param: null, sequence_number: 9 },
  }),
};

function responseOf(reply: ServerReply, { body }: ServerRequest, output: readonly object[]) {
  const { usage = { input: 10, output: 5 }, too_long } = reply;
  return {
    id: "resp_1",
    object: "response",
    created_at: 1_700_000_000,
    status: too_long ? "incomplete" : "completed",
    incomplete_details: too_long ? { reason: "max_output_tokens" } : null,
    error: null,
    model: body.model,
    output,
    usage: {
      input_tokens: usage.input,
      input_tokens_details: { cached_tokens: usage.cache_read ?? 0 },
      output_tokens: usage.output,
      output_tokens_details: { reasoning_tokens: usage.reasoning ?? 0 },
      total_tokens: usage.input + usage.output,
    },
  };
}

function itemsOf({ text, tool_calls = [] }: ServerReply) {
  const message = (content: string) => ({
    id: "msg_1",
    type: "message" as const,
    status: "completed",
    role: "assistant" as const,
    content: [{ type: "output_text" as const, text: content, annotations: [], logprobs: [] }],
  });
  return [
    ...(text === undefined ? [] : [message(text)]),
    ...tool_calls.map(({ id, name, input, namespace, text: typed }) =>
      typed !== undefined
        ? {
            id: `ctc_${id}`,
            type: "custom_tool_call" as const,
            status: "completed",
            call_id: id,
            name,
            input: typed,
          }
        : {
            id: `fc_${id}`,
            type: "function_call" as const,
            status: "completed",
            call_id: id,
            name,
            namespace,
            arguments: JSON.stringify(input),
          },
    ),
  ];
}

function streamOf(reply: ServerReply, request: ServerRequest): readonly ServerEvent[] {
  const items = itemsOf(reply);
  const { cut_input = false, ends } = reply;
  const made: { readonly type: string; readonly [field: string]: unknown }[] = [];
  const begun = { ...responseOf(reply, request, []), status: "in_progress", usage: null };
  made.push({ type: "response.created", response: begun }, { type: "response.in_progress", response: begun });
  for (const [output_index, item] of items.entries()) {
    const at = { item_id: item.id, output_index };
    const isMessage = item.type === "message";
    const isFunction = item.type === "function_call";
    const begins = isMessage ? { content: [] } : isFunction ? { arguments: "" } : { input: "" };
    made.push({
      type: "response.output_item.added",
      output_index,
      item: { ...item, status: "in_progress", ...begins },
    });
    if (isMessage && ends === "refused") {
      const refusal = reply.text ?? "";
      const part = { ...at, content_index: 0 };
      for (const delta of inPieces(refusal)) made.push({ type: "response.refusal.delta", ...part, delta });
      made.push({ type: "response.refusal.done", ...part, refusal });
      const content = [{ type: "refusal", refusal }];
      made.push({ type: "response.output_item.done", output_index, item: { ...item, content } });
      continue;
    }
    if (isMessage) {
      const part = { ...at, content_index: 0 };
      const [content] = item.content;
      made.push({ type: "response.content_part.added", ...part, part: { ...content, text: "" } });
      for (const delta of inPieces(content?.text ?? ""))
        made.push({ type: "response.output_text.delta", ...part, delta, logprobs: [] });
      made.push({ type: "response.output_text.done", ...part, text: content?.text, logprobs: [] });
      made.push({ type: "response.content_part.done", ...part, part: content });
    } else if (item.type === "function_call") {
      const { length } = item.arguments;
      for (const delta of inPieces(item.arguments.slice(0, cut_input ? length / 2 : length)))
        made.push({ type: "response.function_call_arguments.delta", ...at, delta });
      if (!cut_input)
        made.push({ type: "response.function_call_arguments.done", ...at, arguments: item.arguments });
    }
    if (cut_input && !isMessage) continue;
    made.push({ type: "response.output_item.done", output_index, item });
  }
  const response = responseOf(reply, request, items);
  made.push({ type: reply.too_long ? "response.incomplete" : "response.completed", response });
  return made.map((data, sequence_number) => ({ event: data.type, data: { ...data, sequence_number } }));
}
