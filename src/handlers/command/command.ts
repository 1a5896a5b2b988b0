import { basename } from "node:path";
import { lastCharacters } from "../../core/base/text.ts";
import { HookFailureError } from "../../core/events/hook-failure-error.ts";
import type { Outcome } from "../../core/events/outcomes.ts";
import type { AnyEvent } from "../../core/events/payloads.ts";
import type { Handler, HookContext } from "../../core/ports.ts";
import { wholeCharacters } from "../../node/process/output.ts";
import { type ProgramResult, type ProgramRun, runProgram } from "../../node/process/run-program.ts";
import { type ProgramCall, shellLine } from "../../node/process/start-program.ts";
import type { HandlerContext, HandlerSettings } from "../handler.ts";
import { REFUSED, readExit } from "../reply/read-exit.ts";
import { isAsync, readNativeExit } from "../reply/read-native.ts";
import { decodeReply, readReplyText } from "../reply/read-reply.ts";
import { isGate, replySite } from "../reply/reply-site.ts";
import { askAsWritten, nativeText } from "../written-for.ts";
import { type Command, NOT_RUN, plainStart, startFailure } from "./command-call.ts";
import { type CommandSite, commandSite } from "./command-site.ts";

/** The most that is read of each stream; a longer reply is invalid. */
const MOST_OUTPUT_BYTES = 1_000_000;

/** Exit codes of a hook that succeeded. Processes that a failed hook left behind are ended. */
const ANSWERS: readonly number[] = [0, 2];

const HELD =
  "Something it left running still holds its stdout, so its answer may not be there yet. Wait for it, or send its output elsewhere: helper >/dev/null 2>&1 &";

/** The exit code of shells and `env` for a missing program. */
const NOT_FOUND = 127;

/**
 * A hook that decides by running a program: the event on its stdin, the answer in its exit code and output.
 *
 * @throws TenterhookError `invalid_option` for a definition that does not say what to run.
 */
export function commandHandler(settings: HandlerSettings<"command">, context: HandlerContext): Handler {
  const site = commandSite(settings, context);
  const { ports } = context;
  const settling = new Set<Promise<void> | undefined>();
  const ask = async (
    event: AnyEvent,
    sent: string | undefined,
    context: HookContext,
  ): Promise<readonly Outcome[] | undefined> => {
    const native = settings.payload === "native" ? nativeText(event, sent, settings.native_keys) : undefined;
    const input = native ?? `${JSON.stringify(event)}\n`;
    const leaves = native === undefined || ports.leave === undefined ? {} : { leaves: isAsync };
    const result = await runCommand(
      { ...site.call(event, context.agent?.env_file), input, ...leaves },
      event,
      context,
    );
    if (result.left !== undefined) {
      const { pid, stdout, stderr } = result.left;
      const about = { hook: settings.name, payload: input, output: result.stdout.toString() };
      await ports.leave?.({ pid, pipes: [stdout, stderr], ...about });
      return undefined;
    }
    const settled = result.settled?.finally(() => settling.delete(settled));
    if (settled !== undefined) settling.add(settled);
    if (result.exit_code !== null) context.record({ exit_code: result.exit_code });
    if (result.aborted) throw context.signal.reason;
    site.checkAfter();
    return answer(result, site, event, native !== undefined);
  };
  return {
    type: "command",
    tidies: true,
    get problem() {
      return site.problem();
    },
    run: (event, context) =>
      askAsWritten(settings, event, context, ports, (asked, sent) => ask(asked, sent, context)),
    close: () => Promise.all(settling),
  };
}

async function runCommand(
  call: ProgramCall & Pick<ProgramRun, "input" | "leaves">,
  event: AnyEvent,
  { output, signal }: HookContext,
): Promise<ProgramResult> {
  try {
    return await runProgram({
      ...call,
      signal,
      maxOutputBytes: MOST_OUTPUT_BYTES,
      mayLeave: (exit_code) => ANSWERS.includes(exit_code),
      ...(isGate(replySite(event)) ? { answered: isWhole } : {}),
      onOutput: output,
    });
  } catch (error) {
    throw startFailure(error);
  }
}

function answer(
  result: ProgramResult,
  site: CommandSite,
  event: AnyEvent,
  isNative: boolean,
): readonly Outcome[] {
  const { exit_code, exit_signal, stdout } = result;
  const stderr = wholeCharacters(result.stderr);
  if (exit_code === null) {
    const tail = lastCharacters(stderr.trim(), 500);
    throw new HookFailureError("error", `${exit_signal} ended it${tail === "" ? "." : `: ${tail}`}`);
  }
  if (exit_code === 0) {
    if (result.stdout_truncated)
      throw new HookFailureError("bad_output", `It printed more than ${MOST_OUTPUT_BYTES} bytes.`);
    if (result.stdout_held && isGate(replySite(event)) && !isWhole(stdout))
      throw new HookFailureError("bad_output", HELD);
    // Some agents read stderr when there is nothing else.
    if (stdout.length === 0 && !isNative) return [];
    if (!isNative) return readReplyText(decodeReply(stdout), event);
  }
  if (isNative) {
    try {
      return readNativeExit({ exit_code, stdout: stdout.toString(), stderr }, event);
    } catch (error) {
      const gone = NOT_RUN.includes(exit_code) ? site.missing(exit_code, event) : undefined;
      if (gone === undefined || !(error instanceof HookFailureError)) throw error;
      const { refusals, outcomes } = error;
      throw new HookFailureError("missing", gone, { refusals, outcomes, cause: error });
    }
  }
  const missing = site.missing(exit_code, event);
  if (missing !== undefined) throw new HookFailureError("missing", missing);
  if (isSyntaxError(exit_code, stderr, site.command))
    throw new HookFailureError("error", `The shell can't read it: ${lastCharacters(stderr.trim(), 500)}`);
  try {
    return readExit({ exit_code, stdout: stdout.toString(), stderr }, event);
  } catch (error) {
    if (exit_code !== NOT_FOUND || site.command.kind === "program" || !(error instanceof HookFailureError))
      throw error;
    throw new HookFailureError("missing", `A program is not there. ${error.message}`);
  }
}

/** True for output that is one whole JSON object. */
function isWhole(stdout: Buffer): boolean {
  const text = stdout.toString().trim();
  if (!text.startsWith("{") || !text.endsWith("}")) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** What dash and bash call a line or file that they can't read; bash shows the line after it. */
const SYNTAX_ERROR =
  /^(?<name>.+?): (?:(?:-c|eval): )?(?:line )?\d+: (?:eval: )?(?:syntax error|unexpected EOF)/i;
const SHOWN_LINE = /: line \d+: `/;

/** A line with more in it than a program and its arguments may refuse because of a syntax error. */
const MORE_THAN_A_CALL = /[;|&<>()$`\n]/;

/**
 * True when a shell ended with the code of a refusal because it could not read the hook itself. The error must be the
 * last that was written, and name the shell or the script that the hook starts.
 */
function isSyntaxError(exit_code: number, stderr: string, command: Command): boolean {
  if (exit_code !== REFUSED) return false;
  const lines = stderr.trimEnd().split("\n");
  if (SHOWN_LINE.test(lines.at(-1) ?? "") && lines.length > 1) lines.pop();
  const name = SYNTAX_ERROR.exec(lines.at(-1) ?? "")?.groups?.name;
  return name !== undefined && isOf(command, name);
}

function isOf(command: Command, name: string): boolean {
  switch (command.kind) {
    case "script":
      return basename(name) === basename(command.file);
    case "program":
      return name === command.file || name === command.args[0];
    case "shell": {
      if (name === shellLine("").file) return true;
      const { program, file } = plainStart(command.line);
      return !MORE_THAN_A_CALL.test(command.line) && (name === program || name === file);
    }
    default:
      return command satisfies never;
  }
}
