import { closeSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { checkKeys } from "../core/base/check-options.ts";
import { errorMessage } from "../core/base/error-text.ts";
import { TenterhookError } from "../core/base/errors.ts";
import type { Decided } from "../core/decide/observers.ts";
import { openForAppending } from "../node/files/append.ts";
import { makeFolders } from "../node/files/folders.ts";
import { createRedactor } from "../node/records/redact.ts";
import { appendRotating, FILE_BYTES, isWorthRecording } from "./files.ts";
import { journalLines } from "./record.ts";

/** Where an audit log is written. */
export interface AuditLogOptions {
  /** The file; its folder is created. */
  readonly file: string;
  /** Bytes after which a new file begins. Default 4 MB. Full files are renamed and never removed. */
  readonly file_bytes?: number;
  /** Where the secrets to redact are looked up. Default: this process's variables. */
  readonly environment?: NodeJS.ProcessEnv;
  /** Called once when a line can't be written. Default: a warning of the process. */
  readonly report?: (message: string) => void;
}

/**
 * An observer that appends every event with its decision to one file, as lines of JSON without secrets, in the form of the
 * journal. A line is in the file before the decision takes effect. Several processes may share a file. A line that can't be
 * written stops nothing.
 *
 * @throws TenterhookError `write_failed` when the file can't be opened, `unknown_option` and `invalid_option`.
 * @example hooks.observe({ onDecision: auditLog({ file: "logs/audit.jsonl" }) })
 */
export function auditLog(options: AuditLogOptions): (decided: Decided) => void {
  checkKeys(options, ["file", "file_bytes", "environment", "report"], "auditLog");
  const {
    file_bytes = FILE_BYTES,
    environment = process.env,
    report = (message) => process.emitWarning(message),
  } = options;
  if (typeof options.file !== "string" || options.file === "")
    throw new TenterhookError("invalid_option", "auditLog: file must be a path.");
  if (typeof file_bytes !== "number" || !(file_bytes > 0))
    throw new TenterhookError("invalid_option", "auditLog: file_bytes must be a number above 0.");
  // The working folder may change.
  const file = resolve(options.file);
  const problem = (error: unknown): string => `Can't write the audit log ${file}: ${errorMessage(error)}`;
  try {
    makeFolders(dirname(file));
    closeSync(openForAppending(file));
  } catch (error) {
    throw new TenterhookError("write_failed", problem(error), { cause: error });
  }
  const redactor = createRedactor(environment);
  let reported = false;
  return (decided) => {
    if (!isWorthRecording(decided)) return;
    try {
      redactor.lookAgain(Date.now());
      const { lines } = journalLines({ type: "decision", ...decided }, redactor);
      appendRotating(file, lines, file_bytes);
    } catch (error) {
      if (!reported) report(problem(error));
      reported = true;
    }
  };
}
