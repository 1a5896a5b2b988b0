import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { errorMessage } from "../../../core/base/error-text.ts";
import { firstCharacters } from "../../../core/base/text.ts";
import type { ToolResult } from "../../../core/contracts/tool.ts";
import { readUpTo, sendRequest } from "../../../node/http.ts";
import { failed } from "../input.ts";
import { AddressRefusedError, isPublicAddress, publicLookup } from "./addresses.ts";
import { htmlToText, MOST_HTML, type PageText } from "./html-text.ts";

const MOST_BYTES = 5 * 1024 * 1024;
const MOST_CHARACTERS = 100_000;
const MOST_REDIRECTS = 5;

const HTML = /^(?:text\/html|application\/xhtml\+xml)$/;
const TEXT =
  /^(?:text\/.+|application\/(?:.+\+)?(?:json|xml|yaml|toml|javascript|ecmascript|x-sh|x-ndjson)|image\/svg\+xml)$/;
const META_CHARSET = /<meta[^>]{0,200}charset\s*=\s*["']?([\w-]{1,40})/i;

interface FetchOptions {
  readonly signal: AbortSignal;
  /** Allow addresses of this machine and of private networks. */
  readonly privateAddresses: boolean;
}

interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** True when the body was longer. */
  readonly truncated: boolean;
}

/**
 * Checks the address of a page.
 *
 * @throws TenterhookError `tool_failed` when it can't be fetched.
 */
export function addressOf(text: string): URL {
  if (!URL.canParse(text)) throw failed(`${text} is no address; give one with http:// or https://.`);
  const url = new URL(text);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw failed(`${url.protocol} addresses can't be fetched; only http: and https: can.`);
  }
  if (url.username !== "" || url.password !== "") {
    throw failed("The address holds a user name or password; credentials are not sent. Leave them out.");
  }
  url.hash = "";
  return url;
}

/**
 * Fetches a page as text. Follows redirects on the same host.
 *
 * @throws TenterhookError `tool_failed` when it can't be fetched or shown; the reason of the signal.
 */
export async function fetchPage(start: URL, options: FetchOptions): Promise<ToolResult> {
  let url = start;
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
    const reply = await reached(url, options);
    const location = reply.status >= 300 && reply.status < 400 ? reply.headers.location : undefined;
    if (location === undefined) return shown(reply, url);
    if (!URL.canParse(location, url.href))
      throw failed(`${url.href} redirects to ${location}, which is no address.`);
    const next = new URL(location, url.href);
    if (!isSameHost(url, next)) {
      return {
        content: `${url.href} redirects to another host: ${next.href}\nFetch that address if you want what is there.`,
      };
    }
    url = addressOf(next.href);
  }
  throw failed(`${start.href} redirects more than ${MOST_REDIRECTS} times.`);
}

/** The same host and port, and never from https back to http. */
function isSameHost(from: URL, to: URL): boolean {
  if (from.protocol === to.protocol) return from.host === to.host;
  return (
    from.protocol === "http:" && to.protocol === "https:" && from.hostname === to.hostname && to.port === ""
  );
}

async function reached(url: URL, options: FetchOptions): Promise<Reply> {
  try {
    return await get(url, options);
  } catch (error) {
    options.signal.throwIfAborted();
    const cause = error instanceof Error ? error.cause : undefined;
    if (error instanceof AddressRefusedError || cause instanceof AddressRefusedError) {
      throw failed(`${url.host} is on this machine or a private network, which is not fetched from.`, error);
    }
    throw failed(`${url.host} could not be reached: ${errorMessage(error)}`, error);
  }
}

/** Sends no cookies and no credentials. */
async function get(url: URL, { signal, privateAddresses }: FetchOptions): Promise<Reply> {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  // A name is checked at its lookup; an IP address is never looked up.
  if (!privateAddresses && isIP(host) !== 0 && !isPublicAddress(host)) throw new AddressRefusedError(host);
  const reply = await sendRequest({
    url,
    signal,
    headers: {
      "user-agent": "tenterhook",
      accept: "text/html,text/plain,application/json;q=0.9,*/*;q=0.5",
      "accept-encoding": "gzip, deflate, br",
    },
    ...(privateAddresses ? {} : { lookup: publicLookup }),
  });
  try {
    // Counted after decompression, so that a small reply can't become a huge one.
    const { bytes, truncated } = await readUpTo(unpacked(reply), MOST_BYTES);
    return { status: reply.statusCode ?? 0, headers: reply.headers, body: bytes, truncated };
  } finally {
    reply.destroy();
  }
}

const DECODERS = new Map<string, () => NodeJS.ReadWriteStream>([
  ["gzip", createGunzip],
  ["deflate", createInflate],
  ["br", createBrotliDecompress],
]);

function unpacked(reply: IncomingMessage): NodeJS.ReadableStream {
  const decoder = DECODERS.get(reply.headers["content-encoding"]?.toLowerCase() ?? "")?.();
  if (decoder === undefined) return reply;
  reply.on("error", (error) => decoder.emit("error", error));
  return reply.pipe(decoder);
}

function shown(reply: Reply, url: URL): ToolResult {
  const { title, text, cut = false } = pageText(reply, url);
  const body = text.length > MOST_CHARACTERS ? firstCharacters(text, MOST_CHARACTERS) : text;
  const notes = [
    ...(body.length < text.length ? [`cut after ${MOST_CHARACTERS} characters`] : []),
    ...(cut ? [`only the first ${MOST_HTML} characters of its HTML were read`] : []),
    ...(reply.truncated ? [`only the first ${MOST_BYTES} bytes were read`] : []),
  ];
  const head = [`${url.href} (${reply.status})`, ...(title === "" ? [] : [title])].join("\n");
  const content = `${head}\n\n${body === "" ? "(no text)" : body}${notes.length === 0 ? "" : `\n\n(${notes.join("; ")})`}`;
  return reply.status >= 400 ? { content, is_error: true } : { content };
}

/** @throws TenterhookError `tool_failed` for binary content, and for HTML that can't be read. */
function pageText({ headers, body }: Reply, url: URL): PageText {
  const [type = "", ...parameters] = (headers["content-type"] ?? "").split(";").map((part) => part.trim());
  const kind = type.toLowerCase();
  const isHtml = HTML.test(kind);
  const isText = isHtml || TEXT.test(kind) || (kind === "" && !body.includes(0));
  if (!isText)
    throw failed(`${url.href} is ${type || "binary"} (${body.length} bytes), not text that can be read.`);
  const [, charset] = /^charset=["']?([\w-]+)/i.exec(parameters.join(";")) ?? [];
  const text = decoded(
    body,
    charset ?? (isHtml ? META_CHARSET.exec(body.toString("latin1", 0, 2048))?.[1] : undefined),
  );
  if (!isHtml) return { title: "", text };
  try {
    return htmlToText(text, url);
  } catch (error) {
    throw failed(`The HTML of ${url.href} can't be read: ${errorMessage(error)}`, error);
  }
}

/** An unknown encoding is read as UTF-8. */
function decoded(body: Buffer, charset = "utf-8"): string {
  try {
    return new TextDecoder(charset).decode(body);
  } catch {
    return new TextDecoder().decode(body);
  }
}
