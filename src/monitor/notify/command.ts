import { errorMessage } from "../../core/base/error-text.ts";
import { parseJson } from "../../core/base/json.ts";
import { withinTime } from "../../node/process/deadline.ts";
import { childEnvironment } from "../../node/process/environment.ts";
import { runProgram } from "../../node/process/run-program.ts";
import { shellLine } from "../../node/process/start-program.ts";
import { homeFolder } from "../../node/user-folders.ts";
import { secondsOf } from "../../shared/duration.ts";
import type { TargetOf } from "../../shared/monitor/channels.ts";
import { readChoiceBody } from "../decisions/resolve.ts";
import { type Channel, type ChannelPorts, DeliveryError } from "./channel.ts";
import { bodyOf } from "./message.ts";

const DEFAULT_SECONDS = 30;
const MOST_OUTPUT_BYTES = 100_000;

/** Runs a command for each decision. What it prints may be the answer. */
export function commandChannel(
  key: string,
  { command, timeout }: TargetOf<"command">,
  { environment }: ChannelPorts,
): Channel {
  const seconds = secondsOf(timeout) ?? DEFAULT_SECONDS;
  const [file = "", ...args] = [command].flat();
  const program = typeof command === "string" ? shellLine(command) : { file, args };
  return {
    type: "command",
    key,
    parallel: true,
    async send(notice, signal) {
      const input = bodyOf("decision.opened", notice);
      const stdout = await outputOf({ ...program, input }, "The command", seconds, environment, signal);
      const answer = readChoiceBody(parseJson(stdout));
      return answer === undefined ? {} : { answer };
    },
  };
}

/**
 * Runs a program for a message. Returns what it printed.
 *
 * @param name the program in messages.
 * @throws DeliveryError
 */
export async function outputOf(
  program: {
    readonly file: string;
    readonly args: readonly string[];
    readonly input?: string;
    readonly variables?: Readonly<Record<string, string>>;
  },
  name: string,
  seconds: number,
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<string> {
  const { variables, ...started } = program;
  const run = async (until: AbortSignal): Promise<string> => {
    const { exit_code, stdout, stderr, aborted } = await runProgram({
      ...started,
      // A relative name must not mean a file of the agent's project.
      cwd: homeFolder(environment),
      environment: { ...childEnvironment(environment), ...variables },
      signal: until,
      maxOutputBytes: MOST_OUTPUT_BYTES,
    });
    if (aborted) throw late();
    if (exit_code === 0) return stdout.toString();
    throw new DeliveryError(`${name} failed: ${stderr.toString().trim().slice(0, 200)}`);
  };
  const late = (): Error => new DeliveryError(`${name} took longer than ${seconds} s.`, { final: true });
  try {
    return await withinTime(seconds * 1000, signal, run, late);
  } catch (error) {
    throw error instanceof DeliveryError ? error : new DeliveryError(errorMessage(error));
  }
}
