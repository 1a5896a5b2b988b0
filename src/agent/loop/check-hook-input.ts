import { TenterhookError } from "../../core/base/errors.ts";
import { isRecord } from "../../core/base/json.ts";

/**
 * Refuses a text of a client that says nothing.
 *
 * @throws TenterhookError `invalid_option`.
 */
export function checkHookInput(input: unknown): void {
  const { hook, text }: Readonly<Record<string, unknown>> = isRecord(input) ? input : {};
  if (typeof hook !== "string" || hook === "" || typeof text !== "string" || text.trim() === "")
    throw new TenterhookError(
      "invalid_option",
      "submitHookInput: it needs hook and text, and neither may be empty.",
    );
}

/**
 * Refuses a task that says nothing: providers take no message without text.
 *
 * @throws TenterhookError `invalid_option`.
 */
export function checkTask(task: unknown): void {
  if (typeof task === "string" && task.trim() !== "") return;
  throw new TenterhookError("invalid_option", "run: the task must be a text that says something.");
}
