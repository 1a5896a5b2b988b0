import { isRecord } from "../../core/base/json.ts";

/** A call of a tool for people: `Bash: rm -r build`, with what else it is given in the next line. */
export function callText(toolName: string, input: unknown): string {
  if (!isRecord(input) || typeof input.command !== "string")
    return `${toolName}: ${JSON.stringify(input) ?? ""}`;
  const { command, ...rest } = input;
  return `${toolName}: ${command}${Object.keys(rest).length === 0 ? "" : `\n${JSON.stringify(rest)}`}`;
}
