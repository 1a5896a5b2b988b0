import { errorMessage } from "../../core/base/error-text.ts";
import { type ErrorCode, isTenterhookError } from "../../core/base/errors.ts";
import { isRecord } from "../../core/base/json.ts";
import type { Invocation } from "./command.ts";
import { codeFrame, type Place } from "./screen/code-frame.ts";
import { type Block, paragraph } from "./screen/report.ts";
import { dim, harmless, red, shortPath, wrapped } from "./screen/text.ts";

/** Errors in the command line or the configuration: exit code 2. */
const WRONG_USE: readonly string[] = [
  "usage_error",
  "answer_missing",
  "config_syntax",
  "config_invalid",
  "config_unreadable",
  "unknown_event",
  "invalid_event",
  "model_unavailable",
  "bad_script",
  "bad_permission",
] satisfies ErrorCode[];

/** How much is told of an error: its code, and where in our program it was thrown. */
interface Detail {
  readonly verbose?: boolean;
  readonly debug?: boolean;
}

/** Shows an error and its hint, the one place that does. Returns the exit code. */
export function showFailure(
  error: unknown,
  { screen, json, cwd }: Pick<Invocation, "screen" | "json" | "cwd">,
  { verbose = false, debug = false }: Detail = {},
): number {
  const known = isTenterhookError(error);
  const code = known ? error.code : "internal_error";
  const message = errorMessage(error);
  const hint = known ? error.hint : "This is a bug in Tenterhook; --debug shows the stack trace.";
  const problems = problemsIn(error);
  if (json) screen.json({ error: { code, message, hint, problems } });
  else
    screen.tell(
      (problems ?? [{ message }]).map((problem) => problemBlock(problem, cwd)),
      paragraph(hint, dim),
      verbose && dim(`  ${code}`),
    );
  if (debug && error instanceof Error) screen.tell(error.stack ?? "");
  return WRONG_USE.includes(code) ? 2 : 1;
}

/** A problem, with its line of the file where there is one to show. */
function problemBlock(problem: Readonly<Record<string, unknown>>, cwd: string): Block {
  return ({ width }) => {
    const message = harmless(String(problem.message));
    const frame = isPlaced(problem) ? codeFrame(problem, message, width) : undefined;
    const title =
      frame !== undefined ? placeText(problem, cwd) : "file" in problem ? placed(problem, cwd) : message;
    return [wrapped(red(harmless(title)), width), ...(frame ?? [])];
  };
}

/** The problems of a ConfigError, which is not imported here: its module loads every parser. */
function problemsIn(error: unknown): readonly Readonly<Record<string, unknown>>[] | undefined {
  const problems = isTenterhookError(error) && "problems" in error ? error.problems : undefined;
  return Array.isArray(problems) ? problems.filter(isRecord) : undefined;
}

function isPlaced(
  problem: Readonly<Record<string, unknown>>,
): problem is Place & { readonly message: string } & Readonly<Record<string, unknown>> {
  return typeof problem.file === "string" && typeof problem.line === "number";
}

/** `file:line:column: message`. */
export function placed(problem: Readonly<Record<string, unknown>>, cwd: string): string {
  return `${placeText(problem, cwd)}: ${String(problem.message)}`;
}

/** `file:line:column`. */
export function placeText(
  { file, line, column }: { readonly file?: unknown; readonly line?: unknown; readonly column?: unknown },
  cwd: string,
): string {
  return [shortPath(String(file), cwd), line, column].filter((part) => part !== undefined).join(":");
}
