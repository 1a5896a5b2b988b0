import { raceAbort } from "../../node/process/deadline.ts";

export interface Judged<Verdict> {
  readonly verdict: Verdict;
  /** True when it came from an earlier question, or from one asked at the same time. */
  readonly cached: boolean;
}

/** The signal is aborted when nobody waits for the verdict any more. */
export type Ask<Verdict> = (signal: AbortSignal) => Promise<Verdict>;

interface Flight<Verdict> {
  readonly answer: Promise<Verdict>;
  readonly stop: AbortController;
  waiting: number;
}

const MOST_KEPT = 1000;

/**
 * Keeps verdicts for a time, a limited number of them. The same question asked while it is being answered waits for that
 * answer. Failures are never cached. With 0 seconds nothing is cached.
 */
export function verdictCache<Verdict>(seconds: number, now: () => number = () => performance.now()) {
  const verdicts = new Map<string, { readonly verdict: Verdict; readonly until: number }>();
  const flights = new Map<string, Flight<Verdict>>();

  function keep(key: string, verdict: Verdict): void {
    if (seconds <= 0) return;
    verdicts.delete(key);
    const [oldest] = verdicts.keys();
    if (verdicts.size >= MOST_KEPT && oldest !== undefined) verdicts.delete(oldest);
    verdicts.set(key, { verdict, until: now() + seconds * 1000 });
  }

  function takeOff(key: string, ask: Ask<Verdict>): Flight<Verdict> {
    const stop = new AbortController();
    const flight: Flight<Verdict> = { stop, waiting: 0, answer: ask(stop.signal) };
    flights.set(key, flight);
    const land = () => {
      if (flights.get(key) === flight) flights.delete(key);
    };
    flight.answer.then((verdict) => {
      keep(key, verdict);
      land();
    }, land);
    return flight;
  }

  return {
    /** Rejects with the reason of the signal when that is aborted first. */
    async verdictOn(key: string, signal: AbortSignal, ask: Ask<Verdict>): Promise<Judged<Verdict>> {
      signal.throwIfAborted();
      const known = verdicts.get(key);
      if (known !== undefined && known.until > now()) return { verdict: known.verdict, cached: true };
      const shared = flights.get(key);
      const flight = shared ?? takeOff(key, ask);
      const verdict = await joined(flight, signal, () => flights.delete(key));
      return { verdict, cached: shared !== undefined };
    },
  };
}

/** Waits for an answer that others may wait for too; the last one to leave cancels it. */
async function joined<Verdict>(
  flight: Flight<Verdict>,
  signal: AbortSignal,
  abandon: () => void,
): Promise<Verdict> {
  flight.waiting += 1;
  try {
    return await raceAbort(flight.answer, signal);
  } finally {
    flight.waiting -= 1;
    if (flight.waiting === 0 && signal.aborted) {
      abandon();
      flight.stop.abort(signal.reason);
    }
  }
}
