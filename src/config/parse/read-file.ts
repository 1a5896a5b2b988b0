import { isRecord } from "../../core/base/json.ts";
import { readRegularFile, UnfitFileError, type UnfitKind } from "../../node/files/regular-file.ts";
import { sha256 } from "../inputs/digest.ts";
import type { ParsedFile } from "./located.ts";
import { parseText } from "./parse.ts";
import { ConfigError, type ProblemCode } from "./problem.ts";

const MOST_BYTES = 1_000_000;

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "The link leads to a missing file.",
  EACCES: "This user may not read it.",
  EPERM: "This user may not read it.",
  ELOOP: "The link leads back to itself.",
};

const UNFIT: Readonly<Record<UnfitKind, string>> = {
  folder: "This is a folder; a configuration is a file.",
  special: "This is not a plain file.",
  too_large: "This is too large for a configuration",
};

/**
 * Reads and parses a file that is known to be there.
 *
 * @param seen What an input says of its content, which then must be what is read: that is what trust is about.
 * @throws ConfigError `config_unreadable` with the reason, or `config_syntax`.
 */
export async function readConfigFile(file: string, signal?: AbortSignal, seen?: string): Promise<ParsedFile> {
  const fail = (code: ProblemCode, message: string): ConfigError =>
    new ConfigError([{ code, file, message }]);
  signal?.throwIfAborted();
  let bytes: Uint8Array;
  try {
    bytes = readRegularFile(file, MOST_BYTES);
  } catch (error) {
    throw fail(
      "config_unreadable",
      error instanceof UnfitFileError ? unfitReason(error) : systemReason(error),
    );
  }
  if (seen?.startsWith(sha256(bytes)) === false)
    throw fail("config_unreadable", "It changed while it was read.");
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw fail("config_syntax", "The file is not UTF-8 text.");
  }
  return parseText(file, text);
}

/** What an error of the file system means, in one sentence. */
export function systemReason(error: unknown): string {
  const code = isRecord(error) && typeof error.code === "string" ? error.code : String(error);
  return REASONS[code] ?? `It can't be read (${code}).`;
}

function unfitReason({ kind, message }: UnfitFileError): string {
  return kind === "too_large" ? `${UNFIT[kind]}: ${message}.` : UNFIT[kind];
}
