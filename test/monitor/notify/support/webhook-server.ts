import type { IncomingHttpHeaders } from "node:http";
import { bodyOf, listening } from "./listening.ts";

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface WebhookReply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A server that receives decisions. It answers as it is told, and when it is told, then with 200. */
export async function webhookServer(
  ...replies: readonly (WebhookReply | "drop" | Promise<WebhookReply | "drop">)[]
) {
  const received: Received[] = [];
  const left = [...replies];
  const url = await listening(async (request, response) => {
    received.push({ headers: request.headers, body: await bodyOf(request) });
    const reply = (await left.shift()) ?? {};
    if (reply === "drop") return void request.socket.destroy();
    const { status = 200, headers = {}, body = "" } = reply;
    response.writeHead(status, headers).end(body);
  });
  return { url: `${url}/hook`, received };
}
