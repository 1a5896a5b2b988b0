/** Tokens that models take, by the beginning of their names; the first that fits counts. */
const WINDOWS: readonly (readonly [prefix: string, tokens: number])[] = [
  ["anthropic/claude-", 200_000],
  ["openai/gpt-5", 272_000],
  ["openai/gpt-4.1", 1_000_000],
  ["openai/gpt-4o", 128_000],
  ["openai/o3", 200_000],
  ["openai/o4", 200_000],
  ["google/gemini-", 1_000_000],
  // A script takes everything, and a summary would use up one of its steps.
  ["scripted/", Number.POSITIVE_INFINITY],
];

/**
 * How many tokens a model takes, as its provider published it at the end of 2025 without what must be asked for;
 * `undefined` for a model nobody here knows.
 */
export function contextWindow(model: string): number | undefined {
  return WINDOWS.find(([prefix]) => model.startsWith(prefix))?.[1];
}
