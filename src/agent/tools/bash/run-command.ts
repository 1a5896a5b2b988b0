import type { TextResult, ToolContext } from "../../../core/contracts/tool.ts";
import { startDeadline } from "../../../node/process/deadline.ts";
import { childEnvironment } from "../../../node/process/environment.ts";
import { findProgram } from "../../../node/process/find-program.ts";
import { ProgramError } from "../../../node/process/program-error.ts";
import { type ProgramResult, runProgram } from "../../../node/process/run-program.ts";
import { sessionVariable } from "../../../node/process/running.ts";
import { shellLine } from "../../../node/process/start-program.ts";
import { allowReading } from "../files/workspace.ts";
import { failed } from "../input.ts";
import type { CollectedOutput } from "./collected-output.ts";

/** How much of each stream is shown while a command runs. */
const MOST_SHOWN_BYTES = 256 * 1024;

export interface Command {
  readonly line: string;
  readonly output: CollectedOutput;
  /** The timeout. */
  readonly milliseconds: number | undefined;
  readonly signal: AbortSignal;
  /** Names of secret variables that it gets anyway. */
  readonly handedOn: readonly string[];
  readonly show?: ToolContext["progress"];
}

/**
 * Runs a shell command in the working folder and in the sandbox of the context. Ends it, with everything it started, at
 * its timeout or when the signal is aborted.
 *
 * @throws TenterhookError `tool_failed` when it can't be started, and the signal's reason when that was aborted before.
 */
export async function runCommand(command: Command, context: ToolContext): Promise<TextResult> {
  const { output, milliseconds, signal, show } = command;
  const deadline = startDeadline(signal, milliseconds);
  try {
    signal.throwIfAborted();
    const result = await runProgram({
      ...shellFor(command, context),
      cwd: context.cwd,
      signal: deadline.signal,
      maxOutputBytes: MOST_SHOWN_BYTES,
      onBytes: (chunk, stream) => output.add(chunk, stream),
      onOutput: show,
    });
    const endedBy = !result.aborted ? undefined : deadline.passed() ? "deadline" : "signal";
    return answered(result, command, endedBy, context);
  } catch (error) {
    output.end();
    throw error instanceof ProgramError ? failed(error.message, error) : error;
  } finally {
    deadline.end();
  }
}

function shellFor({ line, handedOn }: Command, { cwd, environment, sandbox, workspace, host }: ToolContext) {
  const mark = host.mark === undefined ? {} : sessionVariable(host.mark);
  const variables = { ...childEnvironment(environment, handedOn), ...mark };
  const bash = findProgram("bash", cwd, variables);
  return {
    ...(bash === undefined ? shellLine(line) : { file: bash, args: ["-c", line] }),
    environment: variables,
    ...(sandbox === "off" ? {} : { sandbox: { mode: sandbox, workspace } }),
  };
}

function answered(
  result: ProgramResult,
  { output, milliseconds = 0 }: Command,
  endedBy: "signal" | "deadline" | undefined,
  context: ToolContext,
): TextResult {
  const { both, stdout, stderr, file } = output.end();
  if (file !== undefined) allowReading(file, context);
  const timedOut = endedBy === "deadline";
  const why = timedOut ? `Timed out after ${milliseconds / 1000} s` : "Interrupted";
  const note = endedBy === undefined ? endNote(result) : `${why}; the command and all it started were ended.`;
  const body = both.trimEnd();
  const data = {
    // Everything the model reads is in one of them, so that hooks see it too.
    stdout,
    stderr,
    exit_code: result.exit_code,
    timed_out: timedOut,
    ...(result.exit_signal === null ? {} : { exit_signal: result.exit_signal }),
    output_file: file,
  };
  const content = [body, note].filter((part) => part !== "").join("\n") || "(no output)";
  return note === "" ? { content, data } : { content, is_error: true, data };
}

function endNote({ exit_code, exit_signal }: ProgramResult): string {
  if (exit_signal !== null) return `Ended by ${exit_signal}.`;
  return exit_code === 0 ? "" : `Exit code ${exit_code}.`;
}
