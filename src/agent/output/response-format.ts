import { isRecord } from "../../core/base/json.ts";
import type { AgentModel, ModelCall } from "../model/agent-model.ts";
import type { OutputFormat } from "./format.ts";

/** Providers that take tools and a schema for the answer in one request. */
const WITH_TOOLS = /^(?:anthropic|openai|azure)\b|^google\b.*\/gemini-[3-9]/;

/**
 * Asks the provider for answers that fit the schema, where it can do so. Other models have the instructions alone: a
 * provider that does not know the option would refuse the request, or answer in place of calling tools.
 */
export function withFormat(call: ModelCall, model: AgentModel, format: OutputFormat | undefined): ModelCall {
  if (format === undefined || !takesFormat(model, (call.tools ?? []).length > 0)) return call;
  const { schema, strict } = format;
  const { openai } = call.providerOptions ?? {};
  return {
    ...call,
    responseFormat: { type: "json", schema, name: "answer" },
    ...(strict
      ? {}
      : {
          providerOptions: {
            ...call.providerOptions,
            openai: { strictJsonSchema: false, ...(isRecord(openai) ? openai : {}) },
          },
        }),
  };
}

function takesFormat(model: AgentModel, withTools: boolean): boolean {
  if ("supportsStructuredOutputs" in model && model.supportsStructuredOutputs !== true) return false;
  return !withTools || WITH_TOOLS.test(`${model.provider}/${model.modelId}`);
}
