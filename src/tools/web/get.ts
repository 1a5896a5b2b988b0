import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP } from "node:net";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { AddressRefusedError, isPublicAddress, publicLookup } from "./addresses.ts";

export interface GetOptions {
  readonly signal: AbortSignal;
  readonly maxBytes: number;
  /** Allow addresses of this machine and of private networks. */
  readonly privateAddresses: boolean;
}

export interface Reply {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
  /** True when the body was longer. */
  readonly truncated: boolean;
}

/**
 * Sends one request: follows no redirects, sends no cookies and no credentials.
 *
 * @throws AddressRefusedError for an address outside the public internet; network errors.
 */
export async function get(url: URL, options: GetOptions): Promise<Reply> {
  const response = await answerOf(url, options);
  const { headers, statusCode = 0 } = response;
  try {
    return { status: statusCode, headers, ...(await bodyOf(response, options.maxBytes)) };
  } finally {
    response.destroy();
  }
}

function answerOf(url: URL, { signal, privateAddresses }: GetOptions): Promise<IncomingMessage> {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  // A name is checked at its lookup; an IP address is never looked up.
  if (!privateAddresses && isIP(host) !== 0 && !isPublicAddress(host)) throw new AddressRefusedError(host);
  const request = url.protocol === "https:" ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      signal,
      agent: false,
      headers: {
        "user-agent": "tenterhook",
        accept: "text/html,text/plain,application/json;q=0.9,*/*;q=0.5",
        "accept-encoding": "gzip, deflate, br",
      },
      ...(privateAddresses ? {} : { lookup: publicLookup }),
    });
    sent.on("response", resolve);
    sent.on("error", reject);
    sent.end();
  });
}

const DECODERS = new Map<string, () => NodeJS.ReadWriteStream>([
  ["gzip", createGunzip],
  ["deflate", createInflate],
  ["br", createBrotliDecompress],
]);

/** Reads up to a size, counted after decompression, so that a small reply can't become a huge one. */
async function bodyOf(
  response: IncomingMessage,
  maxBytes: number,
): Promise<Pick<Reply, "body" | "truncated">> {
  const decoder = DECODERS.get(response.headers["content-encoding"]?.toLowerCase() ?? "")?.();
  if (decoder !== undefined) response.on("error", (error) => decoder.emit("error", error));
  const stream = decoder === undefined ? response : response.pipe(decoder);
  const chunks: Buffer[] = [];
  let room = maxBytes;
  for await (const piece of stream) {
    const chunk = Buffer.isBuffer(piece) ? piece : Buffer.from(piece);
    chunks.push(chunk.subarray(0, room));
    if (chunk.length > room) return { body: Buffer.concat(chunks), truncated: true };
    room -= chunk.length;
  }
  return { body: Buffer.concat(chunks), truncated: false };
}
