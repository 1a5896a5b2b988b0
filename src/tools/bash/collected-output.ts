import { StringDecoder } from "node:string_decoder";
import type { OutputStream } from "../../node/process/output.ts";
import type { OutputFile } from "./output-file.ts";

/** What the model reads of the beginning and of the end of a long output, in UTF-16 units. */
const HEAD = 20_000;
const TAIL = 10_000;

/** The output of a command, both streams in the order they came. */
export interface CollectedOutput {
  add(chunk: Buffer, stream: OutputStream): void;
  /** The text for the model. The whole is in the file when it is longer than that. */
  end(): { readonly text: string; readonly file?: string };
}

/**
 * Keeps the beginning and the end of an output, and the whole of it in a file.
 *
 * @param target the file, or what makes one when the output gets too long for the model.
 */
export function collectOutput(target: OutputFile | (() => OutputFile | undefined)): CollectedOutput {
  const decoders = { stdout: new StringDecoder("utf8"), stderr: new StringDecoder("utf8") };
  const early: Buffer[] = [];
  let file = typeof target === "function" ? undefined : target;
  let made = file !== undefined;
  let text = "";
  let dropped = 0;
  let bytes = 0;

  const take = (more: string): void => {
    text += more;
    const over = text.length - HEAD - TAIL * 2;
    if (over <= 0) return;
    // The middle goes in steps of at least a tail, so that each character is moved a few times at most.
    const cut = text.length - HEAD - TAIL;
    text = text.slice(0, HEAD) + text.slice(HEAD + cut);
    dropped += cut;
  };
  const keepWhole = (chunk: Buffer): void => {
    bytes += chunk.length;
    if (!made && bytes <= HEAD + TAIL) {
      early.push(chunk);
      return;
    }
    if (!made && typeof target === "function") file = target();
    made = true;
    for (const piece of early.splice(0)) file?.write(piece);
    file?.write(chunk);
  };
  return {
    add(chunk, stream) {
      keepWhole(chunk);
      take(decoders[stream].write(chunk));
    },
    end() {
      take(decoders.stdout.end() + decoders.stderr.end());
      file?.close();
      const where = file === undefined ? {} : { file: file.path };
      return { text: shortened(text, dropped, file?.path), ...where };
    },
  };
}

function shortened(text: string, dropped: number, path: string | undefined): string {
  if (dropped === 0 && text.length <= HEAD + TAIL) return text;
  const head = wholeCharacters(text.slice(0, HEAD));
  const tail = wholeCharacters(text.slice(-TAIL));
  const missing = dropped + text.length - head.length - tail.length;
  const where = path === undefined ? "they could not be kept" : `the whole output is in ${path}`;
  return `${head}\n[… ${missing} characters left out; ${where} …]\n${tail}`;
}

/** Takes half a character at either end away. */
function wholeCharacters(text: string): string {
  return text.replace(/^[\udc00-\udfff]/, "").replace(/[\ud800-\udbff]$/, "");
}
