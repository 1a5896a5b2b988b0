import type { AnyEvent } from "../../core/event-types.ts";
import type { HookContext } from "../../core/hook-context.ts";
import { HookFailureError } from "../../core/hook-failure-error.ts";
import type { Outcome } from "../../core/outcomes.ts";
import type { Handler } from "../../core/ports.ts";
import { lastCharacters } from "../../core/text.ts";
import { type ProgramResult, runProgram } from "../../node/process/run-program.ts";
import type { HandlerSetting, HandlerSettings } from "../handler-types.ts";
import { readExit } from "../reply/read-exit.ts";
import { decodeReply } from "../reply/read-reply.ts";
import { type CommandSite, commandSite } from "./command-site.ts";
import { startFailure } from "./start-failure.ts";

/** How much of each stream of a command is read; a reply that is longer is none. */
const MOST_OUTPUT_BYTES = 1_000_000;

/** The exit codes of a hook that did its work; one that failed leaves nothing running. */
const ANSWERS: readonly number[] = [0, 2];

/** The exit code by which shells, and `env`, say that a program is not there. */
const NOT_FOUND = 127;

/**
 * A hook that decides by running a program: the event on its stdin, the answer in its exit code and output.
 *
 * @throws TenterhookError `invalid_option` for a definition that does not say what to run.
 */
export function commandHandler(settings: HandlerSettings, setting: HandlerSetting): Handler {
  const site = commandSite(settings, setting);
  const settling = new Set<Promise<void> | undefined>();
  const problem = site.problem();
  return {
    type: "command",
    tidies: true,
    ...(problem === undefined ? {} : { problem }),
    run: async (event, context) => {
      const result = await runCommand(site, event, context);
      const settled = result.settled?.finally(() => settling.delete(settled));
      if (settled !== undefined) settling.add(settled);
      return said(result, site, event, context);
    },
    close: () => Promise.all(settling),
  };
}

async function runCommand(site: CommandSite, event: AnyEvent, context: HookContext): Promise<ProgramResult> {
  const { output, signal } = context;
  try {
    return await runProgram({
      ...site.call(event),
      input: `${JSON.stringify(event)}\n`,
      signal,
      maxOutputBytes: MOST_OUTPUT_BYTES,
      mayLeave: (exit_code) => ANSWERS.includes(exit_code),
      onOutput: output,
    });
  } catch (error) {
    throw startFailure(error);
  }
}

function said(
  { exit_code, exit_signal, aborted, stdout, stderr, stdout_truncated }: ProgramResult,
  site: CommandSite,
  event: AnyEvent,
  { signal, record }: HookContext,
): readonly Outcome[] {
  if (exit_code !== null) record({ exit_code });
  if (aborted) throw signal.reason;
  const told = stderr.toString();
  if (exit_code === null) {
    const tail = lastCharacters(told.trim(), 500);
    throw new HookFailureError("error", `${exit_signal} ended it${tail === "" ? "." : `: ${tail}`}`);
  }
  if (exit_code === 0 && stdout_truncated)
    throw new HookFailureError("bad_output", `It printed more than ${MOST_OUTPUT_BYTES} bytes.`);
  checkThere(exit_code, site);
  try {
    const text = exit_code === 0 && stdout.length > 0 ? decodeReply(stdout) : stdout.toString();
    return readExit({ exit_code, stdout: text, stderr: told }, event);
  } catch (error) {
    if (exit_code !== NOT_FOUND || site.command.kind === "program" || !(error instanceof HookFailureError))
      throw error;
    const { message, refusals } = error;
    throw new HookFailureError("missing", `A program is not there. ${message}`, { refusals });
  }
}

/** `python gone.py` ends with the code of a refusal; what was not there has not refused anything. */
function checkThere(exit_code: number, { command, problem }: CommandSite): void {
  const missing = exit_code !== 0 && command.kind === "shell" ? problem() : undefined;
  if (missing !== undefined) throw new HookFailureError("missing", missing);
}
