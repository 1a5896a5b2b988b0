import { isRecord } from "../../../core/base/json.ts";
import type { Driver } from "../driver.ts";
import { OPENAI_CHAT } from "../model/openai-chat-server.ts";

/** What is the same for agents that speak OpenAI's chat protocol with their model. */
export const CHAT = {
  protocol: OPENAI_CHAT,
  // Without tools they ask for a title.
  conversation: ({ tools, messages }) =>
    Array.isArray(tools) && tools.length > 0 ? (messages ?? []) : undefined,
  opening: ({ messages }) =>
    Array.isArray(messages) ? messages.find((one) => isRecord(one) && one.role === "user") : undefined,
  aside: "A title",
} satisfies Partial<Driver>;
