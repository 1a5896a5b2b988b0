import { StringDecoder } from "node:string_decoder";
import type { OutputStream } from "../../node/process/output.ts";
import type { OutputFile } from "./output-file.ts";

/** An output of more bytes goes to a file, whether or not all of its characters can be shown. */
const MOST_WITHOUT_FILE = 30_000;

/** The output of a command. */
export interface CollectedOutput {
  add(chunk: Buffer, stream: OutputStream): void;
  /** What can be shown of both streams in the order they came, and of each; the rest is in the file, if there is one. */
  end(): Readonly<Record<OutputStream | "both", string>> & { readonly file?: string };
}

/**
 * Keeps the beginning and the end of an output, and the whole of it in a file.
 *
 * @param target the file, or what makes one when the output gets too long for the model.
 */
export function collectOutput(target: OutputFile | (() => OutputFile | undefined)): CollectedOutput {
  const decoders = { stdout: new StringDecoder("utf8"), stderr: new StringDecoder("utf8") };
  const kept = { both: headAndTail(), stdout: headAndTail(), stderr: headAndTail() };
  const early: Buffer[] = [];
  let file = typeof target === "function" ? undefined : target;
  let made = file !== undefined;
  let bytes = 0;

  const keep = (text: string, stream: OutputStream): void => {
    kept.both.add(text);
    kept[stream].add(text);
  };
  const keepWhole = (chunk: Buffer): void => {
    bytes += chunk.length;
    if (!made && bytes <= MOST_WITHOUT_FILE) {
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
      keep(decoders[stream].write(chunk), stream);
    },
    end() {
      keep(decoders.stdout.end(), "stdout");
      keep(decoders.stderr.end(), "stderr");
      file?.close();
      const where = file === undefined ? "they could not be kept" : `${file.holds()} in ${file.path}`;
      const shown = {
        both: kept.both.shown(where),
        stdout: kept.stdout.shown(where),
        stderr: kept.stderr.shown(where),
      };
      return file === undefined ? shown : { ...shown, file: file.path };
    },
  };
}

/** What is kept of the beginning and of the end of a long text, in UTF-16 units. */
const HEAD = 20_000;
const TAIL = 10_000;

/** A text of which only the two ends are kept when it gets long. */
interface HeadAndTail {
  add(text: string): void;
  /** The text, or its ends with a note between them that says how much is missing, and `where` it is. */
  shown(where: string): string;
}

/** Keeps the two ends of a text that comes in pieces. */
function headAndTail(): HeadAndTail {
  let text = "";
  let dropped = 0;
  return {
    add(more) {
      text += more;
      // The middle goes in steps of at least a tail, so that each character is moved a few times at most.
      if (text.length <= HEAD + TAIL * 2) return;
      dropped += text.length - HEAD - TAIL;
      text = text.slice(0, HEAD) + text.slice(-TAIL);
    },
    shown(where) {
      if (dropped === 0 && text.length <= HEAD + TAIL) return text;
      const head = wholeCharacters(text.slice(0, HEAD));
      const tail = wholeCharacters(text.slice(-TAIL));
      const missing = dropped + text.length - head.length - tail.length;
      return `${head}\n[… ${missing} characters left out; ${where} …]\n${tail}`;
    },
  };
}

/** Takes half a character at either end away. */
function wholeCharacters(text: string): string {
  return text.replace(/^[\udc00-\udfff]/, "").replace(/[\ud800-\udbff]$/, "");
}
