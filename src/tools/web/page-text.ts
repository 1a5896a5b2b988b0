import { failed } from "../input.ts";
import type { Reply } from "./get.ts";
import { htmlToText, type PageText } from "./html-text.ts";

const HTML = /^(?:text\/html|application\/xhtml\+xml)$/;
const TEXT =
  /^(?:text\/.+|application\/(?:.+\+)?(?:json|xml|yaml|toml|javascript|ecmascript|x-sh|x-ndjson)|image\/svg\+xml)$/;
const META_CHARSET = /<meta[^>]{0,200}charset\s*=\s*["']?([\w-]{1,40})/i;

/**
 * What a server answered, as text to read: all of it, or somewhat more than `most`.
 *
 * @throws TenterhookError `tool_failed` for content that is no text.
 */
export function pageText({ headers, body }: Reply, url: URL, most: number): PageText {
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

/** An encoding nobody knows is read as UTF-8. */
function decoded(body: Buffer, charset = "utf-8"): string {
  try {
    return new TextDecoder(charset).decode(body);
  } catch {
    return new TextDecoder().decode(body);
  }
}
