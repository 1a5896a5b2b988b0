import { StringDecoder } from "node:string_decoder";
import type { OutputStream } from "../../../node/process/output.ts";
import { leftOutMark } from "../../../shared/left-out.ts";
import type { OutputFile } from "./output-file.ts";

/** Longer output goes to a file, whether or not all of its characters can be shown. */
const MOST_WITHOUT_FILE = 30_000;

export interface CollectedOutput {
  add(chunk: Buffer, stream: OutputStream): void;
  /** What can be shown of both streams in order, and of each one; the rest is in the file, if there is one. */
  end(): Readonly<Record<OutputStream | "both", string>> & { readonly file?: string };
}

/**
 * Collects the beginning and the end of a command's output, and all of it in a file.
 *
 * @param target the file, or a function that creates one when the output gets too long for the model.
 */
export function collectOutput(target: OutputFile | (() => OutputFile | undefined)): CollectedOutput {
  const decoders = { stdout: new StringDecoder("utf8"), stderr: new StringDecoder("utf8") };
  const parts = { both: headAndTail(), stdout: headAndTail(), stderr: headAndTail() };
  const early: Buffer[] = [];
  let file = typeof target === "function" ? undefined : target;
  let made = file !== undefined;
  let bytes = 0;

  const keep = (text: string, stream: OutputStream): void => {
    parts.both.add(text);
    parts[stream].add(text);
  };
  const writeToFile = (chunk: Buffer): void => {
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
      writeToFile(chunk);
      keep(decoders[stream].write(chunk), stream);
    },
    end() {
      keep(decoders.stdout.end(), "stdout");
      keep(decoders.stderr.end(), "stderr");
      file?.close();
      const where = file === undefined ? "they could not be stored" : `${file.holds()} in ${file.path}`;
      const shown = {
        both: parts.both.shown(where),
        stdout: parts.stdout.shown(where),
        stderr: parts.stderr.shown(where),
      };
      return file === undefined ? shown : { ...shown, file: file.path };
    },
  };
}

/** How much of a long text is shown, in UTF-16 units. */
const HEAD = 20_000;
const TAIL = 10_000;

/** A text of which only both ends are stored when it gets long. */
function headAndTail() {
  let text = "";
  let dropped = 0;
  let droppedLines = 0;
  return {
    add(more: string): void {
      text += more;
      // The middle is dropped in steps of at least a tail, so that each character is copied only a few times.
      if (text.length <= HEAD + TAIL * 2) return;
      dropped += text.length - HEAD - TAIL;
      droppedLines += lineEnds(text.slice(HEAD, -TAIL));
      text = text.slice(0, HEAD) + text.slice(-TAIL);
    },
    /** The text, or its ends with a note on how much is missing and `where` it is. */
    shown(where: string): string {
      if (dropped === 0 && text.length <= HEAD + TAIL) return text;
      const head = wholeCharacters(text.slice(0, HEAD));
      const tail = wholeCharacters(text.slice(-TAIL));
      const characters = dropped + text.length - head.length - tail.length;
      const ends = droppedLines + lineEnds(text.slice(head.length, text.length - tail.length));
      // The first of them ends a line that is shown in part.
      const lines = head.endsWith("\n") ? ends : Math.max(0, ends - 1);
      return `${head}\n${leftOutMark({ characters, lines }, where)}\n${tail}`;
    },
  };
}

/** Removes half a surrogate pair at either end. */
function wholeCharacters(text: string): string {
  return text.replace(/^[\udc00-\udfff]/, "").replace(/[\ud800-\udbff]$/, "");
}

function lineEnds(text: string): number {
  return text.split("\n").length - 1;
}
