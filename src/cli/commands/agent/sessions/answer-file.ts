import { resolve } from "node:path";
import type { HumanAnswer } from "../../../../agent/run/session/answers.ts";
import { humanAnswer } from "../../../../agent/run/session/read-answer.ts";
import { parseJson } from "../../../../core/base/json.ts";
import { readOwnFile } from "../../../../node/files/own-file.ts";
import { type Invocation, textOption } from "../../../command-line/command.ts";
import { usageError } from "../../../command-line/usage-error.ts";

const MOST_BYTES = 1_000_000;

/**
 * The answer in the file of `--answer`; `undefined` without the option.
 *
 * @throws TenterhookError `usage_error` when there is a message too, or the file can't be read or trusted;
 * `invalid_answer`.
 */
export function answerInFile(invocation: Invocation, message: string): HumanAnswer | undefined {
  const given = textOption(invocation, "answer");
  if (given === undefined) return undefined;
  const hint = "tenterhook sessions resume --help shows the usage.";
  if (message !== "") throw usageError("Give a message or --answer, not both.", hint);
  const file = resolve(invocation.cwd, given);
  const read = readOwnFile(file, MOST_BYTES);
  if (read.text === undefined) throw usageError(`--answer ${file}: ${read.reason}.`, hint);
  return humanAnswer(parseJson(read.text), `--answer ${file}`);
}
