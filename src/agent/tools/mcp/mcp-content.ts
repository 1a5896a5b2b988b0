import { isRecord, withoutUndefined } from "../../../core/base/json.ts";
import { characterCount, firstCharacters } from "../../../core/base/text.ts";
import { bytesIn, type ContentPart, type FilePart } from "../../../core/contracts/content.ts";
import { readContent } from "../../../shared/contracts/read-content.ts";

type Block = Readonly<Record<string, unknown>>;

/**
 * The content of a server's answer: text of at most `most` characters, with a note on what is left out; or a list of texts
 * and files, when it has images, audio or other data.
 */
export function mcpContent(blocks: readonly Block[], most: number): string | readonly ContentPart[] {
  const parts = blocks.map(partOf);
  const files = parts.filter((part) => typeof part !== "string");
  const texts = cutTexts(
    parts.filter((part) => typeof part === "string"),
    most,
  );
  if (files.length === 0) return texts.join("\n");
  return parts.flatMap((part): readonly ContentPart[] => {
    if (typeof part !== "string") return [part];
    const text = texts.shift();
    return text === undefined ? [] : [{ type: "text", text }];
  });
}

/** The texts as far as they fit; the last one says how much is missing. */
function cutTexts(texts: readonly string[], most: number): string[] {
  const all = texts.join("\n");
  if (all.length <= most) return [...texts];
  const shown = firstCharacters(all, most);
  const missing = characterCount(all) - characterCount(shown);
  return missing <= 0 ? [...texts] : [`${shown}\n[… ${missing} more characters left out …]`];
}

/** Each kind of content as text or file. */
const KINDS: Readonly<Record<string, (block: Block) => string | FileOf>> = {
  text: ({ text }) => String(text),
  image: (block) => fileOf("image", block, block.data),
  audio: (block) => fileOf("audio", block, block.data),
  resource: ({ resource }) => resourceOf(resource),
  resource_link: ({ uri, name }) => `[link to ${String(name)}: ${String(uri)}]`,
};

type FileOf = FilePart & { readonly data: string };

function partOf(block: Block): string | FileOf {
  const kind = String(block.type);
  return (Object.hasOwn(KINDS, kind) ? KINDS[kind]?.(block) : undefined) ?? `[${kind} left out]`;
}

function resourceOf(resource: unknown): string | FileOf {
  if (!isRecord(resource)) return "[resource left out]";
  if (typeof resource.text === "string") return resource.text;
  return fileOf(`resource ${String(resource.uri)}`, resource, resource.blob, nameIn(resource.uri));
}

/** The file of a block; a sentence when its data can't be read. */
function fileOf(what: string, { mimeType }: Block, data: unknown, filename?: string): string | FileOf {
  const type = typeof mimeType === "string" ? mimeType : undefined;
  try {
    const [part] = readContent(
      [
        {
          type: "file",
          data,
          ...withoutUndefined({ media_type: type, filename }),
        },
      ],
      "content",
    );
    if (part?.type === "text") return part.text;
    if (part?.data !== undefined) return { ...part, data: part.data };
  } catch {
    // It is no base64, too large, or of no known type.
  }
  return `[${what}${type === undefined ? "" : ` ${type}`} of ${bytesIn(String(data ?? ""))} bytes left out]`;
}

function nameIn(uri: unknown): string | undefined {
  const name = String(uri).split("/").at(-1) ?? "";
  try {
    return decodeURIComponent(name) || undefined;
  } catch {
    return name || undefined;
  }
}
