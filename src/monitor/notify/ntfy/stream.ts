import { setTimeout as after } from "node:timers/promises";
import { errorMessage } from "../../../core/base/error-text.ts";
import { isRecord, parseJson } from "../../../core/base/json.ts";
import { backoff } from "../../../node/retry.ts";
import { type ChannelPorts, DeliveryError } from "../channel.ts";
import { chunksOf, mustBeTaken, open } from "../http.ts";

/** A message of a topic, or that its stream is open. The time is the server's, in seconds. */
export interface NtfyMessage {
  readonly event: "open" | "message";
  readonly id: string;
  readonly time: number;
  readonly message: string;
}

/** The server sends a sign of life every 45 s; a longer silence is a connection that was lost. */
const SILENCE_MILLISECONDS = 180_000;
const MOST_LINE = 100_000;
const MOST_PAUSE = 60_000;

interface Topic {
  readonly url: string;
  readonly topic: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Reads a topic, each message once, until the signal is aborted. Never rejects. */
export async function readTopic(
  topic: Topic,
  channel: string,
  { mark, putMark, report, log }: ChannelPorts,
  take: (message: NtfyMessage) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const name = `ntfy ${topic.url} ${topic.topic}`;
  const started = performance.now();
  /** True while the server sends what it sent before: it does so when it no longer knows the last id. */
  const isOld = ({ id, time }: NtfyMessage, last: Position): boolean => id === last.id || time < last.time;
  const readOnce = async (): Promise<void> => {
    const known = await mark(name);
    let last: Position | undefined = known === undefined ? undefined : JSON.parse(known);
    const goTo = async (next: Position): Promise<void> => {
      last = next;
      await putMark(name, JSON.stringify(next));
    };
    const since = encodeURIComponent(last === undefined ? "all" : last.id || last.time);
    const address = `${topic.url}/${topic.topic}/json?since=${since}`;
    for await (const message of linesOf(address, topic.headers, signal, () => report(channel, undefined))) {
      const { event, id, time } = message;
      if (event === "open") {
        // A topic that was never read has nothing for us but what came since we started, by the server's clock.
        if (last === undefined) await goTo({ id: "", time: time - secondsSince(started) });
      } else if (last === undefined || !isOld(message, last)) {
        await take(message);
        await goTo({ id, time });
      }
    }
  };
  for (let failures = 0; !signal.aborted; ) {
    const began = Date.now();
    let pause: number | undefined;
    try {
      await readOnce();
    } catch (error) {
      if (signal.aborted) return;
      const problem = errorMessage(error);
      if (failures === 0) log(`ntfy: ${problem}`);
      report(channel, problem);
      pause = error instanceof DeliveryError ? error.pause : undefined;
    }
    // A stream that lasted may be opened again at once.
    failures = Date.now() - began > MOST_PAUSE ? 0 : failures + 1;
    await after(pause ?? Math.min(backoff(failures - 1), MOST_PAUSE), undefined, { signal }).catch(
      () => undefined,
    );
  }
}

/** At least that many; the server's seconds are whole. */
function secondsSince(milliseconds: number): number {
  return Math.ceil((performance.now() - milliseconds) / 1000) + 1;
}

interface Position {
  readonly id: string;
  readonly time: number;
}

/** The messages of a stream, with its opening first, or all that are there with `poll=1`. */
export async function* linesOf(
  url: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
  onOpen: () => void = () => undefined,
): AsyncGenerator<NtfyMessage> {
  const lost = new AbortController();
  const silence = setTimeout(() => lost.abort(), SILENCE_MILLISECONDS);
  try {
    const ends = AbortSignal.any([signal, lost.signal]);
    const reply = await open({ url, method: "GET", headers, signal: ends });
    mustBeTaken({ status: reply.statusCode ?? 0, headers: reply.headers });
    onOpen();
    let rest = "";
    for await (const chunk of chunksOf(reply)) {
      silence.refresh();
      const lines = `${rest}${chunk}`.split("\n");
      rest = (lines.pop() ?? "").slice(0, MOST_LINE);
      for (const line of lines) yield* messageIn(line);
    }
  } finally {
    clearTimeout(silence);
    lost.abort();
  }
}

/** The message of a line; none for a sign of life and for what can't be read. */
function messageIn(line: string): readonly NtfyMessage[] {
  const value = parseJson(line);
  if (!isRecord(value) || (value.event !== "message" && value.event !== "open")) return [];
  const { event, id, time, message = "" } = value;
  return typeof id === "string" && typeof time === "number" && typeof message === "string"
    ? [{ event, id, time, message }]
    : [];
}
