import { expect } from "vitest";
import { eventually } from "../../../support/processes.ts";
import { type NtfyMessage, ntfyServer } from "./ntfy-server.ts";
import { monitored } from "./world.ts";

export async function ntfyWorld(
  access: Parameters<typeof ntfyServer>[0] = {},
  keys: object = {},
  variables: NodeJS.ProcessEnv = {},
  prepared = ntfyServer(access),
) {
  const ntfy = await prepared;
  const target = { ntfy: "asks", replies: "says", url: ntfy.url, ...keys };
  const world = await monitored({ notify: [target] }, variables);
  const message = async (count = 1): Promise<NtfyMessage> => {
    await eventually(() => expect(ntfy.messages("asks").length).toBeGreaterThanOrEqual(count));
    const found = ntfy.messages("asks")[count - 1];
    if (found === undefined) throw new Error("There is no such message.");
    return found;
  };
  return { ...world, ntfy, message };
}

/** The code that a message asks for. */
export function codeIn({ message }: NtfyMessage): string {
  return /reply topic: ([a-z2-9]{8}) /.exec(message)?.[1] ?? "no code";
}
