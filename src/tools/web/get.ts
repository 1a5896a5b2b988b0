import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP } from "node:net";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { AddressRefusedError, isPublicAddress, publicLookup } from "./addresses.ts";

/** How a page is fetched. */
export interface GetOptions {
  readonly signal: AbortSignal;
  readonly maxBytes: number;
  /** Addresses of this machine and of private networks may be reached. */
  readonly privateAddresses: boolean;
}

/** What a server answered. */
export interface Reply {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
  /** There was more than was read. */
  readonly truncated: boolean;
}

/**
 * Fetches an address once: follows nothing, sends no cookies and no credentials.
 *
 * @throws AddressRefusedError when it is not on the public internet, and what the network throws.
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
  // A name is checked where it is looked up; an address is never looked up.
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

/** Reads up to a size, counted after it is unpacked, so that a small answer can't become a big one. */
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
