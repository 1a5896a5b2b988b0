import { firstCharacters } from "../../core/base/text.ts";
import { fileMark } from "../../core/contracts/content.ts";
import { withMarks } from "./marks.ts";
import type { AgentMessage } from "./messages.ts";

/** A text of at most about so many characters: its beginning, how much is missing, and its end. */
function shortened(text: string, characters: number): string {
  if (text.length <= characters) return text;
  const start = firstCharacters(text, Math.floor((characters * 2) / 3));
  const end = text.slice(text.length - Math.floor(characters / 3)).replace(/^[\uDC00-\uDFFF]/, "");
  const missing = text.length - start.length - end.length;
  return `${start}\n[… ${missing} characters left out: the context was full …]\n${end}`;
}

/** The message with a shorter result; the message itself if it has no long one. */
export function withShortResult(message: AgentMessage, characters: number): AgentMessage {
  if (message.role !== "tool") return message;
  const [part] = message.parts;
  if (part.content.length <= characters) return message;
  return { ...message, parts: [{ ...part, content: shortened(part.content, characters) }] };
}

const LONGEST_PART = 50_000;
const SHORTEST_PART = 200;

/** Messages as text of at most about so many characters: long texts are shortened, then messages in the middle left out. */
export function fittedText(messages: readonly AgentMessage[], characters: number): string {
  const texts = messages.map((message) => withMarks(message));
  for (let longest = LONGEST_PART; ; longest /= 4) {
    const text = JSON.stringify(texts, (_, value) =>
      typeof value === "string" ? shortened(value, longest) : value,
    );
    if (text.length <= characters) return text;
    if (longest / 4 < SHORTEST_PART) return shortened(text, characters);
  }
}

/** A summary that needs no model: what the user wrote, and how the last answers began. */
export function plainSummary(messages: readonly AgentMessage[], characters: number): string {
  const lines = messages.flatMap(({ role, parts }) =>
    parts.flatMap((part) => {
      if (part.type === "text" || part.type === "context" || part.type === "hook_input")
        return [`${role}: ${shortened(part.text, 500)}`];
      if (part.type === "file") return [`${role}: ${fileMark(part)}`];
      return part.type === "tool_call" ? [`${role} called ${part.tool_name}`] : [];
    }),
  );
  return shortened(lines.join("\n"), characters);
}
