import { errorMessage } from "../../core/base/error-text.ts";
import { lastCharacters } from "../../core/base/text.ts";
import { startDeadline } from "../../node/process/deadline.ts";
import { childEnvironment } from "../../node/process/environment.ts";
import { wholeCharacters } from "../../node/process/output.ts";
import { runProgram } from "../../node/process/run-program.ts";
import { shellLine } from "../../node/process/start-program.ts";

const MOST_OUTPUT_BYTES = 100_000;
const SHOWN_CHARACTERS = 2000;

export interface Check {
  readonly run: string;
  /** Seconds. */
  readonly timeout: number;
  readonly cwd: string;
  /** Variables for the command besides those of this process; secrets of this process are withheld. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly environment: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
}

/** How a check ended. Only exit code 0 lets the agent through. */
export interface CheckResult {
  readonly ok: boolean;
  readonly exit_code?: number;
  /** The end of what it wrote to stderr, or to stdout if that is empty. */
  readonly stderr?: string;
  /** Why it has no exit code. */
  readonly why?: string;
}

/** Runs a check in a shell, as command hooks do. Never rejects: what can't be run lets nobody through. */
export async function runCheck(check: Check): Promise<CheckResult> {
  const { run, timeout, cwd, variables, environment, signal } = check;
  const deadline = startDeadline(signal, timeout * 1000);
  try {
    const { exit_code, exit_signal, stdout, stderr } = await runProgram({
      ...shellLine(run),
      cwd,
      environment: { ...childEnvironment(environment), ...variables },
      shielded: true,
      signal: deadline.signal,
      maxOutputBytes: MOST_OUTPUT_BYTES,
    });
    const output = [stderr, stdout].map((bytes) => wholeCharacters(bytes).trim()).find((text) => text !== "");
    const shown = output === undefined ? {} : { stderr: lastCharacters(output, SHOWN_CHARACTERS) };
    if (deadline.passed()) return { ok: false, why: `The check took longer than ${timeout} s.`, ...shown };
    if (exit_code === null) return { ok: false, why: `${exit_signal} ended the check.`, ...shown };
    return { ok: exit_code === 0, exit_code, ...shown };
  } catch (error) {
    const why = errorMessage(error);
    return { ok: false, why: `The check could not run: ${why}` };
  } finally {
    deadline.end();
  }
}
