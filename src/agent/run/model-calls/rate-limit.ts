import { compileGlob } from "../../../core/match/glob.ts";
import { countRequest, waitForRate } from "../../model/requests.ts";
import { sleep } from "../../model/retries.ts";
import { type AgentSession, emit } from "../session/session.ts";

/**
 * Waits until the model may get another request, as the option `rate_limit` says, and counts that request. What others in this
 * program send counts too: other agents, summaries, judges.
 *
 * @throws the reason of the signal.
 */
export async function keepRate(session: AgentSession, model: string, signal: AbortSignal): Promise<void> {
  const { clock, options } = session;
  if (options.rate_limit === undefined) return countRequest(model, clock.monotonic());
  const limits = Object.entries(options.rate_limit).map(([pattern, most]) => {
    return { pattern, most, matches: compileGlob(pattern, { kind: "text" }) };
  });
  for (let told = false; ; told = true) {
    const now = clock.monotonic();
    const waits = limits
      .filter(({ matches }) => matches(model))
      .map((limit) => ({ ...limit, wait: waitForRate(limit.matches, limit.most, now) }));
    const longest = waits.toSorted((a, b) => b.wait - a.wait)[0];
    if (longest === undefined || longest.wait <= 0) return countRequest(model, now);
    const text = `${longest.pattern} may get ${longest.most} requests a minute (rate_limit), so the next one waits.`;
    if (!told) emit(session, { type: "notice", text, level: "info" });
    await sleep(longest.wait, signal, clock);
  }
}
