import { isRecord } from "../../../src/core/base/json.ts";
import type { ServerRequest } from "../../../src/know/prove/model/model-server.ts";
import type { Project } from "../../cli/support/project.ts";

export function lastMark({ body }: ServerRequest): string {
  return (
    JSON.stringify(body.messages)
      .match(/SHAPE-\d+-/g)
      ?.at(-1) ?? ""
  );
}

export function lastOf(messages: unknown): unknown {
  return Array.isArray(messages) ? messages.at(-1) : undefined;
}

/** What the turn's requests, a subagent's included, have after their prompt, without what the model said itself. */
export function sentIn(
  requests: readonly ServerRequest[],
  mark: string,
  project: Project,
): readonly string[] {
  const texts = requests
    .filter((request) => lastMark(request) === mark)
    .flatMap(({ body }) => {
      const all = textsIn(body.messages);
      return all.slice(all.findLastIndex((text) => text.trim() === mark) + 1);
    });
  return unique(texts.flatMap((text) => words(plain(text, project))));
}

export function textsIn(content: unknown): readonly string[] {
  if (typeof content === "string") return [content];
  if (Array.isArray(content)) return content.flatMap(textsIn);
  if (!isRecord(content) || content.role === "assistant") return [];
  return typeof content.text === "string" ? [content.text] : textsIn(content.content);
}

/** What Claude Code puts around the words of a hook. */
export const FRAME =
  /^(?:<system-reminder>\n)?\w+(?::\w+)? hook (?:error|success|additional context|feedback|stopped continuation|blocking error from command: "[^"]*"):\s*/;

/** The words of a hook, or of a tool, in a text. */
export function words(text: string): readonly string[] {
  return text
    .replaceAll(/\n?<\/system-reminder>\n?/g, "")
    .split("\n\n")
    .map((part) => part.replace(FRAME, "").replace(/\[sh FOLDER\/hook\.sh \w+\]: /, ""));
}

export function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}

export function plain(text: string, { folder }: Project): string {
  return text
    .replaceAll(folder, "FOLDER")
    .replaceAll(/SHAPE-\d+-/g, "MARK")
    .replaceAll(/\ba[0-9a-f]{16}\b/g, "AGENT")
    .replaceAll(/duration_ms: \d+/g, "TIME");
}
