import { isRecord } from "../../core/base/json.ts";
import { canonicalToolName } from "../../core/match/tool-names.ts";
import { inputText } from "../../shared/call-text.ts";

type Input = Readonly<Record<string, unknown>>;

/**
 * A call of a tool for people: `Bash: rm -r build`, with its description and what else it is given in the next lines, in
 * words. A change of a file is shown as its difference: the tool's preview or, for other agents, what the input says.
 */
export function callText(toolName: string, input: unknown, preview?: unknown): string {
  const shown = isRecord(input) ? (preview ?? changeIn(canonicalToolName(toolName), input)) : undefined;
  if (isRecord(input) && typeof shown === "string") return `${toolName}: ${fileIn(input)}\n${shown}`;
  return `${toolName}: ${inputText(input)}`;
}

function changeIn(tool: string, input: Input): string | undefined {
  const { content, edits = [input] } = input;
  if (tool === "Write" && typeof content === "string" && fileIn(input) !== "") return marked("+", content);
  if (tool !== "Edit" || !Array.isArray(edits) || fileIn(input) === "") return undefined;
  const changes = edits.map((edit: unknown) => {
    const { old_string: before, new_string: after } = isRecord(edit) ? edit : {};
    return typeof before === "string" && typeof after === "string"
      ? [marked("-", before), marked("+", after)].filter((text) => text !== "").join("\n")
      : undefined;
  });
  return changes.includes(undefined) ? undefined : changes.join("\n");
}

function fileIn({ file_path }: Input): string {
  return typeof file_path === "string" ? file_path : "";
}

function marked(mark: string, text: string): string {
  return text === "" ? "" : text.replace(/\n$/, "").replaceAll(/^/gm, `${mark} `);
}
