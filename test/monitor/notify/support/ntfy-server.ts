import type { IncomingMessage, ServerResponse } from "node:http";
import { bodyOf, listening } from "./listening.ts";

export interface NtfyAction {
  readonly action: string;
  readonly label: string;
  readonly url: string;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly clear: boolean;
}

export interface NtfyMessage {
  readonly id: string;
  readonly time: number;
  readonly event: "message";
  readonly topic: string;
  readonly message: string;
  readonly title?: string;
  readonly priority?: number;
  readonly actions?: readonly NtfyAction[];
  /** A message takes the place of an earlier one with the same. */
  readonly sequence_id?: string;
}

interface Access {
  readonly read?: readonly string[];
  readonly write?: readonly string[];
}

/** A server with a clock of its own that speaks ntfy: publishing, cached messages, streams with signs of life, and access tokens. */
export async function ntfyServer(access: Readonly<Record<string, Access>> = {}, secondsAhead = 0) {
  const now = (): number => Math.floor(Date.now() / 1000) + secondsAhead;
  const cache: NtfyMessage[] = [];
  const streams = new Set<{ readonly topic: string; readonly response: ServerResponse }>();
  const failures: ("drop" | number)[] = [];
  let isShut = false;
  let count = 0;

  const publish = (topic: string, fields: Partial<NtfyMessage> & { message: string }): NtfyMessage => {
    const message: NtfyMessage = {
      id: `m${String(count++).padStart(11, "0")}`,
      time: now(),
      event: "message",
      topic,
      ...fields,
    };
    cache.push(message);
    for (const stream of streams)
      if (stream.topic === topic) stream.response.write(`${JSON.stringify(message)}\n`);
    return message;
  };
  const may = (request: IncomingMessage, topic: string, what: keyof Access): boolean => {
    const tokens = access[topic]?.[what];
    const token = /^Bearer (.*)$/.exec(request.headers.authorization ?? "")?.[1] ?? "";
    return tokens === undefined || tokens.includes(token);
  };
  const subscribe = (response: ServerResponse, topic: string, query: URLSearchParams): void => {
    const line = (fields: object): void => void response.write(`${JSON.stringify(fields)}\n`);
    response.writeHead(200, { "content-type": "application/x-ndjson; charset=utf-8" });
    const isPoll = query.get("poll") === "1";
    if (!isPoll) line({ id: "open", time: now(), event: "open", topic });
    const since = query.get("since") ?? (isPoll ? "all" : "none");
    for (const message of cachedSince(since, topic)) line(message);
    if (isPoll) return void response.end();
    const stream = { topic, response };
    streams.add(stream);
    const alive = setInterval(() => line({ id: "alive", time: 1, event: "keepalive", topic }), 20);
    response.on("close", () => {
      clearInterval(alive);
      streams.delete(stream);
    });
  };
  const cachedSince = (since: string, topic: string): readonly NtfyMessage[] => {
    const all = cache.filter((message) => message.topic === topic);
    if (since === "none") return [];
    if (/^\d+$/.test(since)) return all.filter(({ time }) => time >= Number(since));
    const at = all.findIndex(({ id }) => id === since);
    // An id that has left the cache means everything.
    return at < 0 ? all : all.slice(at + 1);
  };

  const url = await listening(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://ntfy");
    const [, topic = "", format] = pathname.split("/");
    const body = await bodyOf(request);
    const failure = failures.shift();
    if (failure === "drop") return void request.socket.destroy();
    if (failure !== undefined)
      return refuse(response, failure, "limit reached: too many requests, please be nice");
    if (request.method === "GET" && format === "json") {
      if (isShut) return void request.socket.destroy();
      if (!may(request, topic, "read")) return refuse(response, 403, "forbidden");
      return subscribe(response, topic, searchParams);
    }
    const fields = topic === "" ? JSON.parse(body) : { topic, message: body };
    if (!/^[-_A-Za-z0-9]{1,64}$/.test(fields.topic))
      return refuse(response, 400, "invalid request: topic invalid");
    if (!may(request, fields.topic, "write")) return refuse(response, 403, "forbidden");
    const actions: readonly NtfyAction[] = fields.actions ?? [];
    if (actions.length > 3 || actions.some(({ label }) => !label))
      return refuse(response, 400, "invalid request: actions invalid");
    if (Buffer.byteLength(fields.message) > 4096) return refuse(response, 413, "message too large");
    response.end(JSON.stringify(publish(fields.topic, fields)));
  });

  return {
    url,
    publish,
    /** What was sent to a topic, also what took the place of something else. */
    published: (topic: string): readonly NtfyMessage[] => cache.filter((message) => message.topic === topic),
    /** What a phone shows of a topic, the oldest first. */
    messages: (topic: string): readonly NtfyMessage[] => {
      const published = cache.filter((message) => message.topic === topic);
      const isNew = ({ sequence_id }: NtfyMessage, at: number): boolean =>
        sequence_id === undefined || published.findIndex((one) => one.sequence_id === sequence_id) === at;
      const shown = ({ sequence_id, ...message }: NtfyMessage): NtfyMessage =>
        (sequence_id && published.findLast((one) => one.sequence_id === sequence_id)) || message;
      return published.filter(isNew).map(shown);
    },
    /** The next requests fail: the connection is cut, or this status. */
    fail: (...ways: readonly ("drop" | number)[]): void => void failures.push(...ways),
    /** Nobody can open a topic until it is not shut any more. */
    shut(yes: boolean): void {
      isShut = yes;
    },
    /** Cuts all streams. */
    cut(): void {
      for (const { response } of streams) response.destroy();
    },
    /** Writes this into all streams. */
    raw(text: string): void {
      for (const { response } of streams) response.write(text);
    },
    streams: (): number => streams.size,
    /** Forgets what it has, as a server does after some hours. */
    forget: (): void => void cache.splice(0),
    /** Somebody taps a button of a message. */
    async tap({ actions = [] }: NtfyMessage, label: string): Promise<number> {
      const action = actions.find((one) => one.label === label);
      if (action === undefined) throw new Error(`There is no button ${label}.`);
      const { url, method, headers, body } = action;
      return (await fetch(url, { method, headers, body })).status;
    },
  };
}

function refuse(response: ServerResponse, status: number, error: string): void {
  response.writeHead(status).end(JSON.stringify({ code: status * 100 + 1, http: status, error }));
}
