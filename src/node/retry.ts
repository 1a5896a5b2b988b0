const FIRST_PAUSE_MILLISECONDS = 500;

/** The pause before a retry that the server has no wish about: twice as long each time. Attempts count from 0. */
export function backoff(attempt: number, first = FIRST_PAUSE_MILLISECONDS): number {
  return first * 2 ** attempt;
}

/** How many milliseconds the headers of a response ask to wait: `retry-after-ms`, or `retry-after` as seconds or a date. */
export function retryAfter(
  { "retry-after-ms": milliseconds, "retry-after": after }: Readonly<Record<string, unknown>> = {},
  now = Date.now(),
): number | undefined {
  const exact = Number.parseFloat(String(milliseconds));
  if (exact >= 0) return exact;
  if (typeof after !== "string" || after.trim() === "") return undefined;
  const seconds = Number(after);
  const pause = Number.isNaN(seconds) ? Date.parse(after) - now : seconds * 1000;
  return Number.isNaN(pause) ? undefined : Math.max(0, pause);
}
