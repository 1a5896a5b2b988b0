export interface Judged<Verdict> {
  readonly verdict: Verdict;
  /** True when it came from an earlier question. */
  readonly cached: boolean;
}

const MOST_KEPT = 1000;

/** Keeps verdicts for a time, a limited number of them. Failures are never cached. With 0 seconds nothing is cached. */
export function verdictCache<Verdict>(seconds: number, now: () => number = () => performance.now()) {
  const verdicts = new Map<string, { readonly verdict: Verdict; readonly until: number }>();
  return {
    /** @throws what asking throws. */
    async verdictOn(key: string, ask: () => Promise<Verdict>): Promise<Judged<Verdict>> {
      const known = verdicts.get(key);
      if (known !== undefined && known.until > now()) return { verdict: known.verdict, cached: true };
      const verdict = await ask();
      verdicts.delete(key);
      const [oldest] = verdicts.keys();
      if (verdicts.size >= MOST_KEPT && oldest !== undefined) verdicts.delete(oldest);
      if (seconds > 0) verdicts.set(key, { verdict, until: now() + seconds * 1000 });
      return { verdict, cached: false };
    },
  };
}
