import { TenterhookError } from "../../core/base/errors.ts";
import { isRecord } from "../../core/base/json.ts";
import type { StoredMessage } from "../../core/contracts/transcript.ts";
import type { AgentMessage } from "../conversation/messages.ts";
import { isMessage } from "../conversation/read-messages.ts";

/**
 * Messages as a store gave them back.
 *
 * @throws TenterhookError `store_damaged` for one that is no message of an agent: it can't be shown to a model.
 */
export function keptMessages(messages: readonly StoredMessage[], agent_id: string): readonly AgentMessage[] {
  return messages.map((message) => {
    const value: unknown = message;
    if (isRecord(value) && isMessage(value) && typeof value.turn_id === "string") return value;
    throw new TenterhookError(
      "store_damaged",
      `Message "${message.id}" of agent "${agent_id}" is no message of an agent.`,
    );
  });
}
