import { decodeEntities } from "./entities.ts";

/** A piece of HTML. */
export type HtmlToken =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "open"; readonly tag: string; readonly attributes: string }
  | { readonly type: "close"; readonly tag: string };

/** Elements whose content is no HTML: it ends with their closing tag and nothing else. */
const RAW = new Set(["script", "style", "textarea", "title", "xmp", "iframe", "noframes"]);

/** Splits HTML into text and tags; looks at each character a bounded number of times, however broken it is. */
export function* htmlTokens(html: string): Generator<HtmlToken> {
  let at = 0;
  while (at < html.length) {
    const start = html.indexOf("<", at);
    if (start === -1) {
      yield { type: "text", text: html.slice(at) };
      return;
    }
    if (start > at) yield { type: "text", text: html.slice(at, start) };
    const next = html[start + 1] ?? "";
    if (html.startsWith("<!--", start)) at = behind(html, "-->", start + 4);
    else if (next === "!" || next === "?") at = behind(html, ">", start);
    else if (!/[a-z/]/i.test(next)) {
      yield { type: "text", text: "<" };
      at = start + 1;
    } else {
      const close = tagEnd(html, start);
      const [, slash, tag = "", attributes = ""] = TAG.exec(html.slice(start + 1, close)) ?? [];
      at = close + 1;
      const name = tag.toLowerCase();
      if (slash === "/") yield { type: "close", tag: name };
      else if (name !== "") {
        yield { type: "open", tag: name, attributes };
        if (RAW.has(name)) {
          const end = rawEnd(html, name, at);
          yield { type: "text", text: html.slice(at, end) };
          at = end;
        }
      }
    }
  }
}

const TAG = /^(\/?)([a-z][^\s/>]*)([\s\S]*)$/i;

/** The `>` that ends a tag, passing over those in quotes. A quote that never ends is none. */
function tagEnd(html: string, start: number): number {
  const plain = html.indexOf(">", start);
  if (plain === -1) return html.length;
  let quote = "";
  const most = Math.min(html.length, start + LONGEST_TAG);
  for (let at = start; at < most; at += 1) {
    const char = html[at] ?? "";
    if (quote !== "") quote = char === quote ? "" : quote;
    else if (char === ">") return at;
    else if ((char === '"' || char === "'") && html[at - 1] === "=") quote = char;
  }
  return plain;
}

const LONGEST_TAG = 10_000;

function rawEnd(html: string, tag: string, from: number): number {
  const closing = new RegExp(`</${tag}`, "gi");
  closing.lastIndex = from;
  return closing.exec(html)?.index ?? html.length;
}

function behind(html: string, mark: string, from: number): number {
  const end = html.indexOf(mark, from);
  return end === -1 ? html.length : end + mark.length;
}

const ATTRIBUTES = {
  href: attributePattern("href"),
  alt: attributePattern("alt"),
} as const;

/** The value of an attribute of a tag, when it is there. */
export function attributeOf(attributes: string, name: keyof typeof ATTRIBUTES): string | undefined {
  const found = ATTRIBUTES[name].exec(attributes);
  const value = found?.[1] ?? found?.[2] ?? found?.[3];
  return value === undefined ? undefined : decodeEntities(value);
}

function attributePattern(name: string): RegExp {
  return new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, "i");
}
