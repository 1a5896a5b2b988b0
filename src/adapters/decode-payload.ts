import { errorMessage } from "../core/base/error-text.ts";
import { isRecord } from "../core/base/json.ts";
import { repeatedKey } from "../shared/json-keys.ts";
import type { Adapter, DecodedEvent } from "./adapter.ts";
import { adapterFor } from "./agents.ts";

export interface DecodedPayload {
  readonly adapter: Adapter;
  readonly event: DecodedEvent;
}

/**
 * Recognises the agent that sent a payload, and makes our event of it. Asks no file system.
 *
 * @param startFolder the folder in which the agent started the hook.
 * @throws Error when the text is not an object in JSON, gives a key twice or is no event of the agent.
 */
export async function decodePayload(
  text: string,
  environment: Readonly<Record<string, string | undefined>>,
  startFolder: string,
): Promise<DecodedPayload> {
  const payload = parsePayload(text);
  if (!isRecord(payload)) throw new Error("The payload is not an object.");
  const twice = repeatedKey(text);
  if (twice !== undefined) throw new Error(`The payload gives ${JSON.stringify(twice.key)} twice.`);
  const adapter = await adapterFor(payload, environment);
  return { adapter, event: adapter.decode(payload, startFolder) };
}

function parsePayload(text: string): unknown {
  if (text.trim() === "")
    throw new Error("The payload is empty. An agent writes its event to stdin, as JSON.");
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`The payload is not valid JSON: ${errorMessage(error)}.`);
  }
}
