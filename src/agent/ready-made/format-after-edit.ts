import { relative, sep } from "node:path";
import { checkKeys, stringList } from "../../core/base/check-options.ts";
import { errorMessage } from "../../core/base/error-text.ts";
import { invalidOption } from "../../core/base/errors.ts";
import { capText } from "../../core/base/text.ts";
import { type ContextOutcome, context } from "../../core/events/outcomes.ts";
import type { HookEvent } from "../../core/events/payloads.ts";
import { pathsOf } from "../../core/match/tool-inputs.ts";
import { canonicalToolName } from "../../core/match/tool-names.ts";
import type { HookContext, Predicate } from "../../core/ports.ts";
import { pathTest } from "../../core/registration/path-test.ts";
import { regularText } from "../../node/files/regular-file.ts";
import { nodePaths } from "../../node/ports.ts";
import { startDeadline } from "../../node/process/deadline.ts";
import { childEnvironment } from "../../node/process/environment.ts";
import { runProgram } from "../../node/process/run-program.ts";

/** What formats which files. */
export interface FormatOptions {
  /** The program and its first arguments; the paths of the edited files follow. There is no shell. */
  readonly command: readonly string[];
  /** Globs of the files to format, as `paths` of a matcher has them. Default: all. */
  readonly files?: string | readonly string[];
  /** Seconds until the program is ended. Default 20; give the hook more time (`timeout`) if you need more than 30. */
  readonly timeout?: number;
}

const EDITING: ReadonlySet<string> = new Set(["Write", "Edit", "NotebookEdit", "ApplyPatch"]);
const MOST_FILE_BYTES = 10_000_000;
const MOST_OUTPUT_BYTES = 64_000;
const MOST_SHOWN = 4000;

/**
 * A PostToolUse hook that runs a formatter on the files an agent wrote or edited. Only regular files in the working
 * folder are formatted, links resolved. The model reads which files changed and why the formatter failed; the hook
 * itself does not fail. The program runs with your rights, outside of any sandbox, and without secret variables.
 *
 * @throws TenterhookError `unknown_option`, `invalid_option` and `bad_pattern`.
 * @example hooks.on("PostToolUse", formatAfterEdit({ command: ["npx", "prettier", "--write"], files: "*.ts" }))
 */
export function formatAfterEdit(
  options: FormatOptions,
): (event: HookEvent<"PostToolUse">, context: HookContext) => Promise<ContextOutcome | undefined> {
  checkKeys(options, ["command", "files", "timeout"], "formatAfterEdit");
  const { command, files: globs = "**", timeout = 20 } = options;
  if (!Array.isArray(command) || command.length === 0)
    throw invalidOption("formatAfterEdit: command must be a list of a program and its arguments.");
  if (typeof timeout !== "number" || !(timeout > 0 && timeout <= 3600))
    throw invalidOption("formatAfterEdit: timeout must be a number of seconds, at most 3600.");
  const words = stringList(command, "formatAfterEdit: command");
  const isWanted = pathTest(stringList(globs, "formatAfterEdit: files"), nodePaths);
  return async (event, { signal }) => {
    if (!EDITING.has(canonicalToolName(event.tool_name))) return undefined;
    const { cwd } = event;
    const before = editedFiles(event, isWanted);
    if (before.size === 0) return undefined;
    const problem = await problemOf([...words, ...before.keys()], cwd, timeout, signal);
    const changed = [...before].filter(([file, text]) => regularText(file, MOST_FILE_BYTES) !== text);
    const names = (files: readonly string[]) =>
      files.map((file) => relative(realPath(".", cwd), file)).join(", ");
    const notes: string[] = [];
    if (problem !== undefined)
      notes.push(`The formatter ${problem.verb} on ${names([...before.keys()])}${problem.why}`);
    if (changed.length > 0)
      notes.push(
        `The formatter changed ${names(changed.map(([file]) => file))}. Read it again before you edit it.`,
      );
    return notes.length === 0 ? undefined : context(notes.join("\n\n"));
  };
}

/** The edited files in the working folder that are to be formatted, by their real path, with their content. */
function editedFiles(event: HookEvent<"PostToolUse">, isWanted: Predicate): ReadonlyMap<string, string> {
  const { cwd } = event;
  const folder = realPath(".", cwd);
  const root = folder.endsWith(sep) ? folder : folder + sep;
  const found = new Map<string, string>();
  for (const path of pathsOf(event)) {
    const file = realPath(path, cwd);
    // After too many links the path still leads elsewhere.
    if (!file.startsWith(root) || realPath(file, cwd) !== file) continue;
    if (!isWanted({ ...event, tool_name: "Write", tool_input: { file_path: file } })) continue;
    const text = regularText(file, MOST_FILE_BYTES);
    if (text !== undefined) found.set(file, text);
  }
  return found;
}

function realPath(path: string, cwd: string): string {
  return nodePaths.spellings(path, cwd).at(-1) ?? path;
}

/** Runs the program and ends everything it started. Returns what went wrong; never rejects. */
async function problemOf(
  [file = "", ...args]: readonly string[],
  cwd: string,
  timeout: number,
  signal: AbortSignal,
): Promise<{ readonly verb: string; readonly why: string } | undefined> {
  const deadline = startDeadline(signal, timeout * 1000);
  try {
    const run = await runProgram({
      file,
      args,
      cwd,
      environment: childEnvironment(process.env),
      signal: deadline.signal,
      maxOutputBytes: MOST_OUTPUT_BYTES,
      mayLeave: () => false,
    });
    await run.settled;
    if (run.exit_code === 0 && !run.aborted) return undefined;
    const end = run.aborted
      ? `it took longer than ${timeout} s and was ended`
      : run.exit_code === null
        ? `ended by ${run.exit_signal}`
        : `exit code ${run.exit_code}`;
    const output = capText(`${run.stderr}${run.stdout}`.trim(), MOST_SHOWN);
    return { verb: "failed", why: output === "" ? ` (${end}).` : ` (${end}):\n${output}` };
  } catch (error) {
    return { verb: "could not run", why: `: ${errorMessage(error)}` };
  } finally {
    deadline.end();
  }
}
