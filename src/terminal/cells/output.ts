import { stripVTControlCharacters } from "node:util";
import { harmless } from "../../shared/harmless.ts";
import { readLeftOut } from "../../shared/left-out.ts";

/** What is kept of a long output: its beginning and its end. */
const MOST_HEAD = 500;
const MOST_TAIL = 500;
const LONGEST_LINE = 2000;

type Stream = "stdout" | "stderr";

/** What a program has printed, as lines that are safe to show. */
export interface Output {
  /** All lines, also those that were not kept. */
  readonly count: number;
  readonly head: readonly string[];
  readonly tail: readonly string[];
  /** Lines that have not ended yet. */
  readonly parts: Readonly<Record<Stream, string>>;
}

export const NO_OUTPUT: Output = { count: 0, head: [], tail: [], parts: { stdout: "", stderr: "" } };

/** Adds a piece. It takes as long for a long output as for a short one. */
export function addOutput(output: Output, text: string, stream: Stream): Output {
  const pieces = `${output.parts[stream]}${text}`.split(/\r\n|\n|\r(?!$)/);
  const part = (pieces.pop() ?? "").slice(0, LONGEST_LINE);
  return { ...withLines(output, pieces), parts: { ...output.parts, [stream]: part } };
}

/** The whole output of something that has ended. */
export function endOutput(output: Output): Output {
  const { stdout, stderr } = output.parts;
  const rest = [stdout, stderr].filter((part) => part !== "");
  return { ...withLines(output, rest), parts: NO_OUTPUT.parts };
}

export function outputOf(text: string): Output {
  return text === "" ? NO_OUTPUT : endOutput(addOutput(NO_OUTPUT, text, "stdout"));
}

/** What is kept of an output, as a text. */
export function outputText({ head, tail }: Output): string {
  return [...head, ...tail].join("\n").trim();
}

/** An output of which only the ends are known; `undefined` for a text that is whole. */
export function cutOutputOf(text: string): Output | undefined {
  const cut = readLeftOut(text);
  if (cut === undefined) return undefined;
  const [head, tail] = [outputOf(cut.head), outputOf(cut.tail.trimEnd())];
  return {
    count: head.count + cut.left.lines + tail.count,
    head: head.head,
    tail: [...tail.head, ...tail.tail].slice(-MOST_TAIL),
    parts: NO_OUTPUT.parts,
  };
}

function withLines(output: Output, added: readonly string[]): Output {
  if (added.length === 0) return output;
  const { count, head, tail } = output;
  const toHead = Math.max(0, Math.min(added.length, MOST_HEAD - head.length));
  const newTail = added.slice(Math.max(toHead, added.length - MOST_TAIL)).map(cleanLine);
  return {
    ...output,
    count: count + added.length,
    head: toHead === 0 ? head : [...head, ...added.slice(0, toHead).map(cleanLine)],
    tail: newTail.length === 0 ? tail : [...tail, ...newTail].slice(-MOST_TAIL),
  };
}

function cleanLine(line: string): string {
  return harmless(stripVTControlCharacters(line.slice(0, LONGEST_LINE))).replaceAll("\t", "    ");
}

/** The lines to show, at most so many: the first ones, how many are left out, and the last ones. */
export function shownOutput(output: Output, most: number): { lines: readonly string[]; hidden: number } {
  const { head, tail, count, parts } = output;
  const open = [parts.stdout, parts.stderr].filter((part) => part !== "").map(cleanLine);
  const all = [...head, ...tail];
  const total = count + open.length;
  if (total <= most && all.length === count) return { lines: [...all, ...open], hidden: 0 };
  const first = Math.ceil(most / 2);
  const last = [...all, ...open].slice(-Math.max(1, most - first));
  return { lines: [...all.slice(0, first), ...last], hidden: Math.max(0, total - first - last.length) };
}
