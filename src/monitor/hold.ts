import { isRecord } from "../core/base/json.ts";

/** How long a hook waits for a human's answer, and what it goes on with when there is none. */
export interface Hold {
  readonly seconds: number;
  readonly fallback?: string;
}

const USUAL_SECONDS = 600;
const UNITS: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3600 };

/** How long `on_prompt` of a configuration has a hook wait; `undefined` when it only tells that the agent waits. */
export function holdOf(onPrompt: unknown): Hold | undefined {
  if (onPrompt === "answer") return { seconds: USUAL_SECONDS };
  if (!isRecord(onPrompt) || onPrompt.action !== "answer") return undefined;
  const { wait, default: fallback } = onPrompt;
  return { seconds: secondsOf(wait), ...(typeof fallback === "string" ? { fallback } : {}) };
}

function secondsOf(wait: unknown): number {
  if (typeof wait === "number") return wait;
  const [, number, unit = ""] = /^([\d.]+)(ms|s|m|h)$/.exec(String(wait)) ?? [];
  return number === undefined ? USUAL_SECONDS : Number(number) * (UNITS[unit] ?? 1);
}
