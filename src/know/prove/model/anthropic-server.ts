import { randomUUID } from "node:crypto";
import { isRecord } from "../../../core/base/json.ts";
import {
  inPieces,
  type Protocol,
  type ServerEvent,
  type ServerReply,
  type ServerRequest,
} from "./model-server.ts";

/** Anthropic's messages, whole and as server-sent events. */
export const ANTHROPIC: Protocol = {
  key: "anthropic-test-key",
  base: "/v1",
  keyOf: (headers) => headers["x-api-key"]?.toString(),
  accepts: (path) => path === "/v1/messages",
  wantsStream: ({ body }) => body.stream === true,
  whole: (reply, request) => ({
    ...messageStart(reply, request),
    content: blocksOf(reply, request),
    stop_reason: stopReason(reply, request),
    usage: usageOf(reply),
  }),
  stream: streamOf,
  error: errorOf,
  streamError: (status, message) => ({ event: "error", data: errorOf(status, message) }),
};

function errorOf(status: number, message: string): object {
  return { type: "error", error: { type: ERRORS[status] ?? "api_error", message } };
}

const ERRORS: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  429: "rate_limit_error",
  529: "overloaded_error",
};

type Block =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "tool_use"; readonly id: string; readonly name: string; readonly input: object };

/** A request that forces a tool is answered with that tool: the way older models are made to answer in a shape. */
function forcedTool({ body: { tool_choice: choice, tools } }: ServerRequest): string | undefined {
  if (!isRecord(choice) || !Array.isArray(tools)) return undefined;
  if (choice.type === "tool") return String(choice.name);
  const [first]: unknown[] = tools;
  return choice.type === "any" && isRecord(first) ? String(first.name) : undefined;
}

function blocksOf({ text, tool_calls = [] }: ServerReply, request: ServerRequest): readonly Block[] {
  const tool = forcedTool(request);
  if (tool !== undefined && text !== undefined)
    return [{ type: "tool_use", id: "toolu_forced", name: tool, input: JSON.parse(text) }];
  return [
    ...(text === undefined ? [] : [{ type: "text" as const, text }]),
    ...tool_calls.map((call) => ({ type: "tool_use" as const, ...call })),
  ];
}

function inputText(input: object, { cut_input }: ServerReply): string {
  const text = JSON.stringify(input);
  return cut_input ? text.slice(0, text.length / 2) : text;
}

function messageStart(reply: ServerReply, { body }: ServerRequest) {
  return {
    // A client takes answers with the same id for one.
    id: `msg_${randomUUID()}`,
    type: "message",
    role: "assistant",
    model: body.model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { ...usageOf(reply), output_tokens: 1 },
  };
}

function usageOf({ usage = { input: 10, output: 5 } }: ServerReply) {
  const { input, output, cache_read = 0, cache_write = 0 } = usage;
  return {
    input_tokens: input - cache_read - cache_write,
    output_tokens: output,
    cache_read_input_tokens: cache_read,
    cache_creation_input_tokens: cache_write,
  };
}

const ENDS = {
  refused: "refusal",
  paused: "pause_turn",
  overflowed: "model_context_window_exceeded",
} as const;

function stopReason({ tool_calls = [], too_long, ends }: ServerReply, request: ServerRequest): string {
  if (ends !== undefined) return ENDS[ends];
  if (too_long) return "max_tokens";
  return tool_calls.length > 0 || forcedTool(request) !== undefined ? "tool_use" : "end_turn";
}

function streamOf(reply: ServerReply, request: ServerRequest): readonly ServerEvent[] {
  const named = (data: { readonly type: string }): ServerEvent => ({ event: data.type, data });
  const blocks = blocksOf(reply, request).flatMap((block, index) => {
    const isText = block.type === "text";
    const start = isText ? { type: "text", text: "" } : { ...block, input: {} };
    const pieces = inPieces(isText ? block.text : inputText(block.input, reply));
    const delta = (piece: string) =>
      isText ? { type: "text_delta", text: piece } : { type: "input_json_delta", partial_json: piece };
    return [
      named({ type: "content_block_start", ...{ index, content_block: start } }),
      ...pieces.map((piece) => named({ type: "content_block_delta", ...{ index, delta: delta(piece) } })),
      named({ type: "content_block_stop", ...{ index } }),
    ];
  });
  const { output_tokens } = usageOf(reply);
  const end = {
    delta: { stop_reason: stopReason(reply, request), stop_sequence: null },
    usage: { output_tokens },
  };
  return [
    named({ type: "message_start", ...{ message: messageStart(reply, request) } }),
    named({ type: "ping" }),
    ...blocks,
    named({ type: "message_delta", ...end }),
    named({ type: "message_stop" }),
  ];
}
