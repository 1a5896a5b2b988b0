import { isMap, isNode, isScalar, LineCounter, parseDocument } from "yaml";
import { isRecord } from "../../core/base/json.ts";

interface FrontMatter {
  readonly front: Readonly<Record<string, unknown>>;
  /** Where a key is in the file, to begin a sentence with. With a part of its value, where that is, if it has a value. */
  placeOf(key: string, part?: string): string;
  readonly body: string;
}

/** @throws Error that names the problem. */
export function frontMatter(text: string): FrontMatter {
  const [, front, body = ""] =
    /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n([\s\S]*))?$/.exec(text) ?? [];
  if (front === undefined) throw new Error("it does not begin with front matter between two lines of ---");
  const lineCounter = new LineCounter();
  const placeAt = (offset: number): string => {
    const { line, col } = lineCounter.linePos(offset);
    // The line of dashes is the first one.
    return `line ${line + 1}${col > 1 ? `, column ${col}` : ""}: `;
  };
  const document = parseDocument(front, { lineCounter, prettyErrors: false });
  const [error] = document.errors;
  if (error !== undefined) throw new Error(`${placeAt(error.pos[0])}${error.message}`, { cause: error });
  const fields: unknown = document.toJS();
  if (!isRecord(fields)) throw new Error("its front matter has no keys");
  const offsets = new Map<string, { readonly key: number; readonly value: number }>();
  for (const { key, value } of isMap(document.contents) ? document.contents.items : []) {
    if (!isScalar(key) || !key.range) continue;
    const [start, end] = (isNode(value) && value.range) || key.range;
    offsets.set(String(key.value), { key: key.range[0], value: end > start ? start : key.range[0] });
  }
  const placeOf = (key: string, part?: string): string => {
    const at = offsets.get(key);
    if (at === undefined) return "";
    return placeAt(part === undefined ? at.key : Math.max(front.indexOf(part, at.value), at.value));
  };
  return { front: fields, placeOf, body };
}
