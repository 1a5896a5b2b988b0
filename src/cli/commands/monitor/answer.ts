import { isRecord, parseJson } from "../../../core/base/json.ts";
import { receiptOf } from "../../../monitor/decisions/receipt.ts";
import type { HumanRequest } from "../../../shared/monitor/monitor.ts";
import { type CommandRun, type Invocation, textOption } from "../../command-line/command.ts";
import { usageError } from "../../command-line/usage-error.ts";
import { connected } from "./daemon/connect.ts";

/** `tenterhook answer ID CHOICE`. */
export const run: CommandRun = async (invocation) => {
  const [id = "", ...choices] = invocation.names;
  if (id === "") throw usageError("The id is empty.", "tenterhook inbox lists what agents ask you.");
  const message = textOption(invocation, "message");
  const input = inputOf(invocation);
  const client = await connected(invocation);
  const decision = await client.resolve(id, { choices, message, input });
  return { json: decision, blocks: [receiptText(decision)] };
};

/** @throws TenterhookError `usage_error` for what is no JSON object. */
function inputOf(invocation: Invocation): Readonly<Record<string, unknown>> | undefined {
  const text = textOption(invocation, "input");
  if (text === undefined) return undefined;
  const input = parseJson(text);
  if (isRecord(input)) return input;
  throw usageError("--input is not a JSON object.", `--input '{ "command": "npm publish --dry-run" }'`);
}

function receiptText(decision: HumanRequest): string {
  const { kind, text } = receiptOf(decision);
  return kind === "noted" ? `${text} tenterhook inbox ${decision.id} shows what came of it.` : text;
}
