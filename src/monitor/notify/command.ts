import { errorMessage } from "../../core/base/error-text.ts";
import { parseJson } from "../../core/base/json.ts";
import { startDeadline } from "../../node/process/deadline.ts";
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
      const deadline = startDeadline(signal, seconds * 1000);
      try {
        const { exit_code, stdout, stderr, aborted } = await runProgram({
          ...program,
          // A relative name must not mean a file of the agent's project.
          cwd: homeFolder(environment),
          environment: childEnvironment(environment),
          input: bodyOf("decision.opened", notice),
          signal: deadline.signal,
          maxOutputBytes: MOST_OUTPUT_BYTES,
        });
        if (deadline.passed() || aborted)
          throw new DeliveryError(`The command took longer than ${seconds} s.`, { final: true });
        if (exit_code !== 0)
          throw new DeliveryError(`The command failed: ${stderr.toString().trim().slice(0, 200)}`);
        const answer = readChoiceBody(parseJson(stdout.toString()));
        return answer === undefined ? {} : { answer };
      } catch (error) {
        if (error instanceof DeliveryError) throw error;
        throw new DeliveryError(errorMessage(error));
      } finally {
        deadline.end();
      }
    },
  };
}
