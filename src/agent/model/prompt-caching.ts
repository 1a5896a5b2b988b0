import type { LanguageModelV3Message } from "@ai-sdk/provider";
import { type AgentModel, modelName } from "./agent-model.ts";
import type { ModelRequest } from "./request.ts";

const CACHED = { anthropic: { cacheControl: { type: "ephemeral" } } };

/**
 * Marks what the provider may cache, where it wants that marked: the system prompt, the tools, and everything so far. The
 * next request begins with the same and pays a tenth for it. Other providers cache by themselves.
 */
export function withCaching(request: ModelRequest, model: AgentModel): ModelRequest {
  if (!modelName(model).startsWith("anthropic/")) return request;
  const { prompt, tools } = request;
  const last = prompt.length - 1;
  return {
    ...request,
    prompt: prompt.map((message, at) =>
      at === last || message.role === "system" ? marked(message) : message,
    ),
    ...(tools === undefined
      ? {}
      : { tools: tools.map((tool, at) => (at === tools.length - 1 ? marked(tool) : tool)) }),
  };
}

/** A mark that is there already stays: it may ask for a longer time. */
function marked<Part extends LanguageModelV3Message | NonNullable<ModelRequest["tools"]>[number]>(
  part: Part,
): Part {
  if (!("providerOptions" in part) && "type" in part && part.type === "provider") return part;
  return {
    ...part,
    providerOptions: { ...CACHED, ...("providerOptions" in part ? part.providerOptions : {}) },
  };
}
