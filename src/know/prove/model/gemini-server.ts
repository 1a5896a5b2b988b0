import {
  inPieces,
  type Protocol,
  type ServerEvent,
  type ServerReply,
  type ServerRequest,
} from "./model-server.ts";

/** Gemini's generateContent and streamGenerateContent. */
export const GEMINI: Protocol = {
  key: "gemini-test-key",
  base: "/v1beta",
  keyOf: (headers) => headers["x-goog-api-key"]?.toString(),
  accepts: (path) => /^\/v1beta\/models\/[^/]+:(?:streamG|g)enerateContent$/.test(path),
  wantsStream: ({ path }) => path.endsWith(":streamGenerateContent?alt=sse"),
  whole: (reply, request) => ({
    ...chunk([...texts(reply.text === undefined ? [] : [reply.text]), ...callParts(reply)], reply, request),
  }),
  stream: streamOf,
  error: (status, message) => ({ error: { code: status, message, status: ERRORS[status] ?? "INTERNAL" } }),
};

const ERRORS: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  503: "UNAVAILABLE",
};

function texts(pieces: readonly string[]): readonly object[] {
  return pieces.map((text) => ({ text }));
}

function callParts({ tool_calls = [] }: ServerReply): readonly object[] {
  return tool_calls.map(({ id, name, input }) => ({ functionCall: { id, name, args: input } }));
}

function chunk(parts: readonly object[], reply: ServerReply, { path }: ServerRequest, isLast = true) {
  const { usage = { input: 10, output: 5 }, too_long, ends } = reply;
  const finishReason = ends !== undefined ? "SAFETY" : too_long ? "MAX_TOKENS" : "STOP";
  return {
    candidates: [
      {
        content: { role: "model", parts },
        index: 0,
        ...(isLast ? { finishReason } : {}),
      },
    ],
    usageMetadata: {
      promptTokenCount: usage.input,
      candidatesTokenCount: usage.output - (usage.reasoning ?? 0),
      thoughtsTokenCount: usage.reasoning ?? 0,
      cachedContentTokenCount: usage.cache_read ?? 0,
      totalTokenCount: usage.input + usage.output,
    },
    modelVersion: /models\/([^:]+)/.exec(path)?.[1],
    responseId: "gemini-response-1",
  };
}

function streamOf(reply: ServerReply, request: ServerRequest): readonly ServerEvent[] {
  const parts = [...texts(inPieces(reply.text ?? "")), ...callParts(reply)];
  return [
    ...parts.map((part) => ({ data: chunk([part], reply, request, false) })),
    { data: chunk([{ text: "" }], reply, request) },
  ];
}
