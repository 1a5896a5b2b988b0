import type { ShellCommand } from "../analysis.ts";
import { shown } from "../words/text.ts";
import { type Frame, giveUp, type Stream, type Walk } from "./frame.ts";

const MOST_FILES = 64;

/** Remembers text that goes into a file, in case the line runs that file later. */
export function storeText(file: string, text: string | undefined, appends: boolean, frame: Frame): void {
  const { walk } = frame;
  // What a makefile had before is not what this line is about.
  const known = walk.files.get(shown(file)) ?? (MAKEFILE.test(file) ? EMPTY_FILE : undefined);
  const before = appends ? known : EMPTY_FILE;
  const from = [...(before?.from ?? []), ...frame.stdin.from, ...walk.commands.slice(-1)];
  const whole = before?.text === undefined || text === undefined ? undefined : before.text + text;
  store(walk, shown(file), { text: whole, from });
}

function store(walk: Walk, path: string, stream: Stream): void {
  if (walk.files.size <= MOST_FILES) walk.files.set(path, stream);
  else giveUp(walk);
}

const MAKEFILE = /(?:^|\/)(?:GNUm|[Mm])akefile$/;

const EMPTY_FILE: Stream = { text: "", from: [] };

/** The text of files the line has written itself; `undefined` unless it wrote all of them. */
export function writtenText(files: readonly string[], frame: Frame): string | undefined {
  const texts = files.map((file) => writtenFile(file, frame)?.text);
  return texts.length > 0 && texts.every((text) => text !== undefined) ? texts.join("") : undefined;
}

/** What the line has written into a file, whichever way its path is spelt. */
export function writtenFile(file: string, frame: Frame): Stream | undefined {
  const { files } = frame.walk;
  const path = shown(file);
  return files.get(path) ?? files.get(path.replace(/^\.\//, "")) ?? files.get(`./${path}`);
}

/** A file that is copied or moved takes its text along. */
export function copyWritten(from: string, to: string, frame: Frame): void {
  const stream = writtenFile(from, frame);
  if (stream !== undefined) store(frame.walk, to, stream);
}

/** Remembers what came over the network into files, in case the line runs them later. */
export function storeDownloads(command: ShellCommand, unpacks: boolean, frame: Frame): void {
  const { walk } = frame;
  if (unpacks) {
    const files = command.reads.flatMap((path) => walk.files.get(path)?.from ?? []);
    if ([...frame.stdin.from, ...files].some((source) => source.connects.length > 0)) walk.unpacked = true;
  }
  if (command.connects.length === 0) return;
  for (const path of command.writes) store(walk, path, { text: undefined, from: [command] });
}
