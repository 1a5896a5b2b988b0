import { type AskedPrompt, askDaemon, waitAtPrompt } from "../report/ask.ts";

/**
 * Passes messages to a running agent on to it, until the signal is aborted. Never rejects.
 *
 * @param asked the turn that the agent has reported, in place of a prompt.
 */
export async function takeMessages(
  asked: AskedPrompt,
  take: (message: string) => unknown,
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<void> {
  const ask = askDaemon(environment);
  const milliseconds = () => Number.POSITIVE_INFINITY;
  for (;;) {
    const waited = await waitAtPrompt({ ...asked, milliseconds }, ask, signal);
    if (!("given" in waited)) return;
    if (typeof waited.given.answer === "string") await take(waited.given.answer);
  }
}
