import { isRecord } from "../../core/base/json.ts";

/** A Markdown file taken apart. */
export interface FrontMatter {
  readonly front: Readonly<Record<string, unknown>>;
  /** The line of a key in the file. */
  lineOf(key: string): number | undefined;
  readonly body: string;
}

/**
 * Takes a Markdown file with front matter apart.
 *
 * @throws Error that says what is wrong with it.
 */
export async function frontMatter(text: string): Promise<FrontMatter> {
  const [, front, body = ""] =
    /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n([\s\S]*))?$/.exec(text) ?? [];
  if (front === undefined) throw new Error("it does not begin with front matter between two lines of ---");
  const { isMap, isScalar, LineCounter, parseDocument } = await import("yaml");
  const lineCounter = new LineCounter();
  // The line of dashes is the first one.
  const lineAt = (offset: number): number => lineCounter.linePos(offset).line + 1;
  const document = parseDocument(front, { lineCounter, prettyErrors: false });
  const [error] = document.errors;
  if (error !== undefined)
    throw new Error(`line ${lineAt(error.pos[0])}: ${error.message}`, { cause: error });
  const fields: unknown = document.toJS();
  if (!isRecord(fields)) throw new Error("its front matter has no keys");
  const lines = new Map<string, number>();
  for (const { key } of isMap(document.contents) ? document.contents.items : [])
    if (isScalar(key) && key.range) lines.set(String(key.value), lineAt(key.range[0]));
  return { front: fields, lineOf: (key) => lines.get(key), body };
}
