import { streamSSE } from "hono/streaming";
import type { ApiContext } from "../api/api.ts";
import type { News } from "./news.ts";
import type { Overview } from "./wire.ts";

/** So that both ends notice when the other one has gone, or may see no more. */
const BEAT_MILLISECONDS = 15_000;

/**
 * Server-sent events: an overview at once, and another one whenever it has changed.
 *
 * @param overview gives `undefined` to those who may see no more.
 */
export function newsStream(
  context: ApiContext,
  overview: () => Promise<Overview | undefined>,
  { listen }: Pick<News, "listen">,
  signal: AbortSignal,
): Response {
  return streamSSE(context, async (stream) => {
    let isNews = false;
    let wake = (): void => undefined;
    const goOn = (): void => wake();
    const unlisten = listen(() => {
      isNews = true;
      wake();
    });
    const isOver = (): boolean => signal.aborted || stream.aborted;
    const wait = async (): Promise<void> => {
      let beat: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        wake = resolve;
        beat = setTimeout(resolve, BEAT_MILLISECONDS);
      });
      clearTimeout(beat);
      if (!isNews && !isOver()) await stream.write(": still here\n\n");
    };
    signal.addEventListener("abort", goOn);
    stream.onAbort(goOn);
    for (let sent = ""; !isOver(); ) {
      isNews = false;
      const now = await overview().catch(() => "failed" as const);
      if (now === undefined) break;
      const { time = "", ...rest } = now === "failed" ? {} : now;
      const text = JSON.stringify(rest);
      if (now === "failed") await stream.writeSSE({ event: "failed", data: "{}" });
      else if (text !== sent)
        await stream.writeSSE({ event: "overview", data: JSON.stringify({ time, ...rest }) });
      sent = text;
      if (!isNews && !isOver()) await wait();
    }
    unlisten();
    signal.removeEventListener("abort", goOn);
  });
}
