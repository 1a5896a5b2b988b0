import { isRecord } from "../../../src/core/base/json.ts";
import type { ServerRequest } from "../../../src/know/prove/model/model-server.ts";

/** What a request tells the model to do, and what it gives it as data. */
export interface SentQuestion {
  readonly system: string;
  readonly prompt: string;
}

/** The messages of a request in any of the protocols, each as role and text; the system's own place is one too. */
function messagesOf({ body }: ServerRequest): readonly (readonly [role: string, text: string])[] {
  const { messages, input, contents, system, systemInstruction } = body;
  const list = [messages, input, contents].find(Array.isArray) ?? [];
  const first = system ?? systemInstruction;
  return [
    ...(first === undefined ? [] : [["system", textOf(first)] as const]),
    ...list.map((message: unknown) => {
      if (!isRecord(message)) throw new Error("a message is no object");
      return [String(message.role), textOf(message.content ?? message.parts)] as const;
    }),
  ];
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(textOf).join("");
  return isRecord(value) ? textOf(value.text ?? value.parts) : "";
}

/** Takes a request apart; it must be one message of the system and one of the user. */
export function sentQuestion(request: ServerRequest | undefined): SentQuestion {
  if (request === undefined) throw new Error("no request was sent");
  const [first, second, ...more] = messagesOf(request);
  if (first === undefined || second === undefined || more.length > 0)
    throw new Error("a question is two messages");
  if (!["system", "developer"].includes(first[0]) || second[0] !== "user") throw new Error("wrong roles");
  return { system: first[1], prompt: second[1] };
}

/** The data of a prompt, by label. Throws unless it is blocks of one line of JSON each, and nothing else. */
export function blocksOf({
  system,
  prompt,
}: SentQuestion): readonly (readonly [label: string, value: unknown])[] {
  const code = /carry the code ([0-9a-f]{24})\./.exec(system)?.[1];
  if (code === undefined) throw new Error("the system's message has no code");
  const lines = prompt.split("\n");
  const blocks: (readonly [string, unknown])[] = [];
  for (let at = 0; at < lines.length; at += 4) {
    const number = blocks.length + 1;
    const [begin = "", line = "", end, gap = ""] = lines.slice(at, at + 4);
    const label = new RegExp(`^BEGIN DATA ${number} \\((.*)\\) ${code}$`).exec(begin)?.[1];
    if (label === undefined || end !== `END DATA ${number} ${code}` || gap !== "")
      throw new Error(`line ${at + 1} does not begin a block of data`);
    blocks.push([label, JSON.parse(line)]);
  }
  return blocks;
}

/** The system's message without its code: the same for every event. */
export function fixedPart({ system }: SentQuestion): string {
  return system.replaceAll(/[0-9a-f]{24}/g, "CODE");
}
