import { isJsonText } from "../../core/base/json.ts";
import { withoutCodeFence } from "../../shared/code-fence.ts";
import type { Checked } from "../../shared/contracts/schema.ts";
import type { Generated } from "../items.ts";
import type { MessageFromAssistant } from "../messages/messages.ts";
import { stopReasonOf } from "../model/finish-reason.ts";
import type { StopReason } from "../stop-reasons.ts";
import { append, inject, userMessage } from "./session/append.ts";
import type { OutputFormat } from "./session/output-format.ts";
import type { Turn } from "./session/session.ts";

/** Tells the model what its answer must be, before its first request. */
export async function tellFormat(turn: Turn): Promise<void> {
  const { session, output } = turn;
  if (output === undefined || output.notified) return;
  output.notified = true;
  const text = `Answer with JSON alone that fits this JSON Schema, without a code fence and without any other text. You may call tools first.\n${JSON.stringify(output.format.schema)}`;
  await inject(session, [{ text, hook: "output", role: "system", lifetime: "turn", recorded: true }]);
}

/**
 * Asks the model again when its answer does not fit. Returns false when the answer fits, or is the last one.
 *
 * @throws TurnEnded when the store failed.
 */
export async function asksAgain(turn: Turn, message: MessageFromAssistant, text: string): Promise<boolean> {
  const { session, output } = turn;
  if (output === undefined || stopReasonOf(message) !== undefined) return false;
  const found = await checkText(text, output.format);
  if ("value" in found || output.failures >= session.limits.output_retries) return false;
  output.failures += 1;
  const again = `Your answer ${found.problem}. Answer again with the whole JSON alone.`;
  await append(session, userMessage(session, "runtime", [{ type: "text", text: again }]));
  return true;
}

/** How turns end whose answer is looked at. */
const MAY_FIT: readonly StopReason[] = ["complete", "capped", "stalled", "limit"];

/** The result of a turn with its output, or without when the answer does not fit. */
export async function withOutput(
  generated: Generated,
  format: OutputFormat | undefined,
  tries = 1,
): Promise<Generated> {
  const { text, stop_reason } = generated;
  if (format === undefined || !MAY_FIT.includes(stop_reason)) return generated;
  const found = await checkText(text, format);
  if ("value" in found) return { ...generated, output: found.value };
  if (stop_reason !== "complete") return generated;
  const reason = `The answer ${found.problem}${tries === 1 ? "" : `, after ${tries} tries`}.`;
  return { ...generated, stop_reason: "invalid_output", reason };
}

/** Checks the text of an answer; white space and a code fence around the JSON do no harm. */
async function checkText(text: string, { check }: OutputFormat): Promise<Checked> {
  const json = withoutCodeFence(text);
  if (!isJsonText(json)) return { problem: "is not JSON" };
  const found = await check(JSON.parse(json));
  return "value" in found ? found : { problem: `does not fit the schema: ${found.problem}` };
}
