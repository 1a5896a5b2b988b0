import type { LanguageModelV3 } from "@ai-sdk/provider";

/** What a provider's package is given. */
export interface ProviderSettings {
  readonly model: string;
  readonly base_url: string;
  readonly key: string | undefined;
}

/** A provider that a model's name can begin with. */
export interface Provider {
  /** The variables that may hold the key, the first that is set counts; with none of them set no model can answer. */
  readonly keys: readonly string[];
  /** True: works without a key too. */
  readonly keyless?: true;
  /** Where it is reached, and the variable that says otherwise: a proxy, a test. */
  readonly base_url: string;
  readonly base_url_variable: string;
  /** Loads the provider's package and makes the model. */
  open(settings: ProviderSettings): Promise<LanguageModelV3>;
}

/** A server that speaks OpenAI's chat completions: Ollama, vLLM, LM Studio, OpenRouter and many more. */
async function openCompatible(
  name: string,
  { model, base_url, key }: ProviderSettings,
): Promise<LanguageModelV3> {
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  return createOpenAICompatible({
    name,
    baseURL: base_url,
    ...(key === undefined ? {} : { apiKey: key }),
    includeUsage: true,
    supportsStructuredOutputs: true,
    fetch: boundedFetch,
  }).chatModel(model);
}

/** The one table of providers: a new one is a row here. */
export const PROVIDERS: ReadonlyMap<string, Provider> = new Map<string, Provider>([
  [
    "anthropic",
    {
      keys: ["ANTHROPIC_API_KEY"],
      base_url: "https://api.anthropic.com/v1",
      base_url_variable: "ANTHROPIC_BASE_URL",
      open: async ({ model, base_url, key = "" }) => {
        const { createAnthropic } = await import("@ai-sdk/anthropic");
        return createAnthropic({ apiKey: key, baseURL: base_url, fetch: boundedFetch })(model);
      },
    },
  ],
  [
    "openai",
    {
      keys: ["OPENAI_API_KEY"],
      base_url: "https://api.openai.com/v1",
      base_url_variable: "OPENAI_BASE_URL",
      open: async ({ model, base_url, key = "" }) => {
        const { createOpenAI } = await import("@ai-sdk/openai");
        return createOpenAI({ apiKey: key, baseURL: base_url, fetch: boundedFetch })(model);
      },
    },
  ],
  [
    "google",
    {
      keys: ["GOOGLE_GENERATIVE_AI_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY"],
      base_url: "https://generativelanguage.googleapis.com/v1beta",
      base_url_variable: "GOOGLE_GEMINI_BASE_URL",
      open: async ({ model, base_url, key = "" }) => {
        const { createGoogleGenerativeAI } = await import("@ai-sdk/google");
        return createGoogleGenerativeAI({ apiKey: key, baseURL: base_url, fetch: boundedFetch })(model);
      },
    },
  ],
  [
    "ollama",
    {
      keys: ["OLLAMA_API_KEY"],
      keyless: true,
      base_url: "http://127.0.0.1:11434/v1",
      base_url_variable: "OLLAMA_BASE_URL",
      // Matchers and rules name the model as a configuration does: ollama/qwen3.
      open: (settings) => openCompatible("ollama", settings),
    },
  ],
]);

/** A server named by its address. Its key has a variable of its own: no provider's key is ever sent there. */
export const COMPATIBLE = {
  keys: ["OPENAI_COMPATIBLE_API_KEY"],
  open: (settings: ProviderSettings): Promise<LanguageModelV3> =>
    openCompatible("openai-compatible", settings),
} as const;

const MOST_BYTES = 32_000_000;

/**
 * `fetch` for requests that carry a key: responses have a size limit, and a redirect is an error, because the key must
 * not follow it to another host.
 */
export async function boundedFetch(
  input: Parameters<typeof fetch>[0],
  init?: Parameters<typeof fetch>[1],
): Promise<Response> {
  const response = await fetch(input, { ...init, redirect: "error" });
  if (response.body === null) return response;
  let bytes = 0;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > MOST_BYTES) throw new Error(`The answer has more than ${MOST_BYTES} bytes.`);
      controller.enqueue(chunk);
    },
  });
  return new Response(response.body.pipeThrough(limit), response);
}
