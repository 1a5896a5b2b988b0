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
  overview: () => Promise<Overview | undefined>,
  { listen }: Pick<News, "listen">,
  signal: AbortSignal,
): Response {
  let end = (): void => undefined;
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      const encoder = new TextEncoder();
      let sent = "";
      let running = false;
      let again = false;
      let over = false;
      const write = (text: string): void => {
        if (!over) controller.enqueue(encoder.encode(text));
      };
      const send = async (): Promise<void> => {
        if (running) {
          again = true;
          return;
        }
        running = true;
        try {
          const now = await overview();
          if (now === undefined) return end();
          const { time, ...rest } = now;
          const text = JSON.stringify(rest);
          if (text !== sent) write(`event: overview\ndata: ${JSON.stringify({ time, ...rest })}\n\n`);
          sent = text;
        } catch {
          write("event: failed\ndata: {}\n\n");
        }
        running = false;
        if (!again) return;
        again = false;
        await send();
      };
      const unlisten = listen(() => void send());
      const beat = setInterval(() => {
        write(": still here\n\n");
        void send();
      }, BEAT_MILLISECONDS);
      end = () => {
        if (over) return;
        over = true;
        clearInterval(beat);
        unlisten();
        try {
          controller.close();
        } catch {
          // The other end has cancelled it.
        }
      };
      signal.addEventListener("abort", end, { once: true });
      void send();
    },
    cancel: () => end(),
  });
  return new Response(stream, {
    headers: {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store",
      "x-accel-buffering": "no",
    },
  });
}
