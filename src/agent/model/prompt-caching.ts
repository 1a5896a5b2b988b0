import { type AgentModel, type ModelCall, modelName } from "./agent-model.ts";

const CACHED = { anthropic: { cacheControl: { type: "ephemeral" } } };

/**
 * Marks what the provider may cache, where it wants that marked: the system prompt, the tools, and everything so far. The
 * next request begins with the same and pays a tenth for it. Other providers cache by themselves.
 */
export function withCaching(request: ModelCall, model: AgentModel): ModelCall {
  if (!modelName(model).startsWith("anthropic/")) return request;
  const { prompt, tools } = request;
  const last = prompt.length - 1;
  return {
    ...request,
    prompt: prompt.map((message, at) =>
      at === last || ("role" in message && message.role === "system") ? marked(message) : message,
    ),
    ...(tools === undefined
      ? {}
      : { tools: tools.map((tool, at) => (at === tools.length - 1 ? marked(tool) : tool)) }),
  };
}

/** A mark that is there already stays: it may ask for a longer time. */
function marked<Part extends object>(part: Part): Part {
  const { type, providerOptions }: { readonly type?: unknown; readonly providerOptions?: object } = part;
  if (providerOptions === undefined && type === "provider") return part;
  return { ...part, providerOptions: { ...CACHED, ...providerOptions } };
}
