import { onTestFinished } from "vitest";
import {
  type ServerReply,
  type ServerRequest,
  startModelServer,
} from "../../../src/know/prove/model/model-server.ts";
import { OPENAI_CHAT } from "../../../src/know/prove/model/openai-chat-server.ts";
import type { ClientRun, Step } from "./client.ts";

const MOST_REQUESTS = 1000;

/** A model on this machine that speaks OpenAI's chat protocol and says what a script has. */
export interface ChatModel {
  readonly url: string;
  readonly key: string;
  /** The requests of the conversation, without those for titles and the like. */
  readonly requests: readonly ServerRequest[];
  /** Every text the model was sent in the last request. */
  lastSent(): string;
}

/** Starts the model; it ends with the test. */
export async function startChatModel({
  script = [],
  subagent,
}: Pick<ClientRun, "script" | "subagent">): Promise<ChatModel> {
  const steps = [...script];
  const others = [...(subagent?.script ?? [])];
  const requests: ServerRequest[] = [];
  const reply = (request: ServerRequest): ServerReply => {
    const { tools, messages } = request.body;
    if (!Array.isArray(tools) || tools.length === 0) return { text: "A title" };
    const user = Array.isArray(messages) ? messages.find((message) => message.role === "user") : undefined;
    const isOther = subagent !== undefined && JSON.stringify(user).includes(subagent.word);
    requests.push(request);
    return replyOf((isOther ? others : steps).shift() ?? "done", requests.length);
  };
  const server = await startModelServer(OPENAI_CHAT, new Array(MOST_REQUESTS).fill(reply));
  onTestFinished(() => server.close());
  const { url, key } = server;
  return { url, key, requests, lastSent: () => JSON.stringify(requests.at(-1)?.body.messages ?? []) };
}

function replyOf(step: Step, number: number): ServerReply {
  if (typeof step === "string") return { text: step };
  return { tool_calls: step.map(([name, input], index) => ({ id: `call_${number}_${index}`, name, input })) };
}
