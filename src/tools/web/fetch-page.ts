import { errorMessage } from "../../core/base/error-text.ts";
import { firstCharacters } from "../../core/base/text.ts";
import type { ToolResult } from "../../core/contracts/tool.ts";
import { failed } from "../input.ts";
import { AddressRefusedError } from "./addresses.ts";
import { type GetOptions, get, type Reply } from "./get.ts";
import { htmlToText, type PageText } from "./html-text.ts";

const MOST_BYTES = 5 * 1024 * 1024;
const MOST_CHARACTERS = 100_000;
const MOST_REDIRECTS = 5;

const HTML = /^(?:text\/html|application\/xhtml\+xml)$/;
const TEXT =
  /^(?:text\/.+|application\/(?:.+\+)?(?:json|xml|yaml|toml|javascript|ecmascript|x-sh|x-ndjson)|image\/svg\+xml)$/;
const META_CHARSET = /<meta[^>]{0,200}charset\s*=\s*["']?([\w-]{1,40})/i;

type FetchOptions = Omit<GetOptions, "maxBytes">;

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
    return await get(url, { ...options, maxBytes: MOST_BYTES });
  } catch (error) {
    options.signal.throwIfAborted();
    if (error instanceof AddressRefusedError) {
      throw failed(`${url.host} is on this machine or a private network, which is not fetched from.`, error);
    }
    throw failed(`${url.host} could not be reached: ${errorMessage(error)}`, error);
  }
}

function shown(reply: Reply, url: URL): ToolResult {
  const { title, text } = pageText(reply, url, MOST_CHARACTERS * 2);
  const body = text.length > MOST_CHARACTERS ? firstCharacters(text, MOST_CHARACTERS) : text;
  const notes = [
    ...(body.length < text.length ? [`cut after ${MOST_CHARACTERS} characters`] : []),
    ...(reply.truncated ? [`only the first ${MOST_BYTES} bytes were read`] : []),
  ];
  const head = [`${url.href} (${reply.status})`, ...(title === "" ? [] : [title])].join("\n");
  const content = `${head}\n\n${body === "" ? "(no text)" : body}${notes.length === 0 ? "" : `\n\n(${notes.join("; ")})`}`;
  return reply.status >= 400 ? { content, is_error: true } : { content };
}

/**
 * The body as text: all of it, or a little more than `most`.
 *
 * @throws TenterhookError `tool_failed` for binary content.
 */
function pageText({ headers, body }: Reply, url: URL, most: number): PageText {
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
  return isHtml ? htmlToText(text, url, most) : { title: "", text };
}

/** An unknown encoding is read as UTF-8. */
function decoded(body: Buffer, charset = "utf-8"): string {
  try {
    return new TextDecoder(charset).decode(body);
  } catch {
    return new TextDecoder().decode(body);
  }
}
