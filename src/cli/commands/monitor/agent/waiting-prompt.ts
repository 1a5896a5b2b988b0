import { TenterhookError } from "../../../../core/base/errors.ts";
import { spooledBy } from "../../../../monitor/spool.ts";

/**
 * The id of the prompt that an agent's hook holds for an answer: the one that begins like this, or the last.
 *
 * @throws TenterhookError `no_prompt` when none is held, or it has been answered.
 */
export function waitingPrompt(
  agent: string,
  beginning: string | undefined,
  environment: NodeJS.ProcessEnv,
): string {
  const told = spooledBy(agent, environment);
  const answered = new Set(told.flatMap(({ type, prompt }) => (type === "agent:answer" ? [prompt] : [])));
  const waiting = told.findLast(
    ({ type, id, waits_until }) =>
      type === "agent:prompt" &&
      typeof waits_until === "string" &&
      Date.parse(waits_until) > Date.now() &&
      !answered.has(id) &&
      id.startsWith(beginning ?? ""),
  );
  if (waiting !== undefined) return waiting.id;
  const which = beginning === undefined ? "" : ` to a prompt ${JSON.stringify(beginning)}`;
  throw new TenterhookError("no_prompt", `${agent} waits for no answer${which}.`);
}
