import { fstatSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { isatty } from "node:tty";
import { stripVTControlCharacters } from "node:util";
import { appendLines } from "../../../../node/files/append.ts";
import { rotate } from "../../../../node/files/rotate.ts";
import { createRedactor } from "../../../../node/records/redact.ts";
import { agentFolder } from "./name.ts";

/** Two files of this size are kept. */
const MOST_BYTES = 200_000;
const LAST_LINES = 20;
const LONGEST_LINE = 2000;

/**
 * How a program gets our stdout or stderr. A terminal and a file stay the program's own: it must see the terminal, and what
 * it leaves running may write to the file. Everything else passes through us.
 */
export function outputOf(descriptor: 1 | 2): "inherit" | "pipe" {
  try {
    return isatty(descriptor) || fstatSync(descriptor).isFile() ? "inherit" : "pipe";
  } catch {
    return "inherit";
  }
}

/** Keeps the last lines of a program's output, for this user alone and without secrets. */
export function keepOutput(agent: string, environment: NodeJS.ProcessEnv) {
  const file = join(agentFolder(agent, environment), "output.log");
  const redactor = createRedactor(environment);
  let recent: readonly string[] = [];
  const keep = (lines: readonly string[]): void => {
    if (lines.length === 0) return;
    const shown = stripVTControlCharacters(lines.map((line) => line.slice(0, LONGEST_LINE)).join("\n"));
    const clean = redactor.text(shown.replaceAll("\r", "")).split("\n");
    recent = [...recent, ...clean].slice(-LAST_LINES);
    try {
      if (appendLines(file, clean) > MOST_BYTES) rotate(file, MOST_BYTES, () => `${file}.old`);
    } catch {
      // The program goes on; only its output is not kept.
    }
  };
  for (const old of [file, `${file}.old`]) rmSync(old, { force: true });
  return {
    file,
    /** Passes on what a program prints, and keeps it. */
    pass(from: Readable, to: Writable): void {
      const decoder = new StringDecoder("utf8");
      let begun = "";
      from.on("data", (chunk: Buffer) => {
        const lines = `${begun}${decoder.write(chunk)}`.split("\n");
        begun = (lines.pop() ?? "").slice(-LONGEST_LINE);
        keep(lines);
      });
      from.on("end", () => keep(begun === "" ? [] : [begun]));
      // Who reads us may leave: then the program is told so, as without us.
      to.on("error", () => from.destroy());
      from.pipe(to, { end: false });
    },
    last: () => recent.join("\n").trim(),
  };
}
