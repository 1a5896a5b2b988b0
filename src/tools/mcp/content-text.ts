import { isRecord } from "../../core/base/json.ts";
import { characterCount, firstCharacters } from "../../core/base/text.ts";

type Block = Readonly<Record<string, unknown>>;

/** How each kind of content is told to a model that reads text. */
const KINDS: Readonly<Record<string, (block: Block) => string>> = {
  text: ({ text }) => String(text),
  image: (block) => leftOut("image", block),
  audio: (block) => leftOut("audio", block),
  resource: ({ resource }) => resourceText(resource),
  resource_link: ({ uri, name }) => `[link to ${String(name)}: ${String(uri)}]`,
};

/** The content of an answer as one text of at most `most` characters; what is left out is said. */
export function contentText(content: readonly Block[], most: number): string {
  const text = content
    .map((block) => {
      const kind = String(block.type);
      return Object.hasOwn(KINDS, kind) ? KINDS[kind]?.(block) : `[${kind} left out]`;
    })
    .join("\n");
  if (text.length <= most) return text;
  const kept = firstCharacters(text, most);
  const missing = characterCount(text) - characterCount(kept);
  return missing <= 0 ? text : `${kept}\n[… ${missing} more characters left out …]`;
}

function resourceText(resource: unknown): string {
  if (!isRecord(resource)) return "[resource left out]";
  return typeof resource.text === "string"
    ? resource.text
    : leftOut(`resource ${String(resource.uri)}`, resource);
}

function leftOut(what: string, { mimeType, data, blob }: Block): string {
  const bytes = Math.floor((String(data ?? blob ?? "").length * 3) / 4);
  return `[${what}${typeof mimeType === "string" ? ` ${mimeType}` : ""} of ${bytes} bytes left out]`;
}
