import { compileGlob } from "../../core/match/glob.ts";
import { sleep } from "../loop/abort.ts";
import { type AgentSession, emit } from "../session/session.ts";

const MINUTE_MILLISECONDS = 60_000;

/** When the requests of the last minute began, by pattern: those of all agents of this program. */
const begun = new Map<string, readonly number[]>();

/**
 * Waits until the model may get another request, as the option `rate_limit` says.
 *
 * @throws the reason of the signal.
 */
export async function keepRate(session: AgentSession, model: string, signal: AbortSignal): Promise<void> {
  const { clock, options } = session;
  for (const [pattern, most] of Object.entries(options.rate_limit ?? {})) {
    if (!compileGlob(pattern, { kind: "text" })(model)) continue;
    for (let told = false; ; told = true) {
      const now = clock.monotonic();
      const recent = (begun.get(pattern) ?? []).filter((time) => now - time < MINUTE_MILLISECONDS);
      const oldest = recent[recent.length - most];
      if (oldest === undefined) {
        begun.set(pattern, [...recent, now]);
        break;
      }
      const text = `${pattern} may get ${most} requests a minute (rate_limit), so the next one waits.`;
      if (!told) emit(session, { type: "notice", text, level: "info" });
      await sleep(oldest + MINUTE_MILLISECONDS - now, signal, clock);
    }
  }
}
