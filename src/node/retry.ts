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

const FIRST_MILLISECONDS = 100;
const LONGEST_MILLISECONDS = 10_000;

/**
 * When a process that keeps failing may be restarted: immediately the first time, then after 0.1 s, 0.2 s, 0.4 s … up
 * to 10 s.
 */
export class Backoff {
  /** Failures in a row. */
  failures = 0;
  private notBefore = 0;

  failed(): void {
    this.failures += 1;
    if (this.failures < 2) return;
    const delay = Math.min(FIRST_MILLISECONDS * 2 ** (this.failures - 2), LONGEST_MILLISECONDS);
    this.notBefore = performance.now() + delay;
  }

  succeeded(): void {
    this.failures = 0;
    this.notBefore = 0;
  }

  /** Milliseconds until the next start. */
  left(): number {
    return Math.max(0, this.notBefore - performance.now());
  }
}
