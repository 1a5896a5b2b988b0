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
