import type { LanguageModelV3Usage } from "@ai-sdk/provider";
import { withoutUndefined } from "../../core/base/json.ts";
import type { SpanAttributes } from "../telemetry/api.ts";
import { CLIENT, currentScope, failSpan, openSpan, type Scope, within } from "../telemetry/scope.ts";
import type { AgentModel } from "./agent-model.ts";
import { ModelFailure, modelFailure } from "./failure.ts";

interface Answered {
  readonly finish_reason: string;
  readonly usage: LanguageModelV3Usage;
}

/** Asks a model, in a span of its own if the run is traced. */
export function traceModel<Answer extends Answered>(
  model: AgentModel,
  signal: AbortSignal,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  const scope = currentScope();
  return scope?.spans === undefined ? ask() : inSpan(scope, model, signal, ask);
}

async function inSpan<Answer extends Answered>(
  scope: Scope,
  model: AgentModel,
  signal: AbortSignal,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  const attributes = { "gen_ai.operation.name": "chat", ...modelAttributes(model) };
  const { span, context } = openSpan(scope, `chat ${model.modelId}`, attributes, CLIENT);
  try {
    const answer = await within({ ...scope, context }, ask);
    span.setAttributes({
      "gen_ai.response.finish_reasons": [answer.finish_reason],
      ...usageAttributes(answer.usage),
    });
    return answer;
  } catch (thrown) {
    if (signal.aborted && !(thrown instanceof ModelFailure)) failSpan(span, "cancelled");
    else {
      const failure = modelFailure(thrown, Date.now());
      span.recordException(failure);
      failSpan(span, failure.kind, failure.message);
    }
    throw thrown;
  } finally {
    span.end();
  }
}

/** Providers that OpenTelemetry calls by another name than the AI SDK. */
const PROVIDERS: ReadonlyMap<string, string> = new Map([
  ["amazon-bedrock", "aws.bedrock"],
  ["azure", "azure.ai.openai"],
  ["google", "gcp.gemini"],
  ["mistral", "mistral_ai"],
  ["xai", "x_ai"],
]);

export function modelAttributes({ provider, modelId }: AgentModel): SpanAttributes {
  const [name = provider] = provider.split(".");
  return { "gen_ai.provider.name": PROVIDERS.get(name) ?? name, "gen_ai.request.model": modelId };
}

function usageAttributes({ inputTokens, outputTokens }: LanguageModelV3Usage): SpanAttributes {
  return withoutUndefined({
    "gen_ai.usage.input_tokens": inputTokens.total,
    "gen_ai.usage.output_tokens": outputTokens.total,
    "gen_ai.usage.cache_read.input_tokens": inputTokens.cacheRead,
    "gen_ai.usage.cache_creation.input_tokens": inputTokens.cacheWrite,
  });
}
