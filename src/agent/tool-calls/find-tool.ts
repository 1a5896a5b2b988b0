import { isRecord } from "../../core/base/json.ts";
import { nearestName } from "../../core/base/suggest.ts";
import type { Tool } from "../../core/contracts/tool.ts";
import type { ToolInput } from "../../core/events/payloads.ts";
import { checkInput } from "../../node/schema/check-input.ts";
import type { ToolCallPart } from "../conversation/messages.ts";

const MOST_NAMES = 3;

/** Finds the tool of a call whose input it can take; or says, for the model, why there is none. */
export function findTool(
  tools: ReadonlyMap<string, Tool>,
  { tool_name, tool_input, invalid_input }: ToolCallPart,
): Tool | string {
  const tool = tools.get(tool_name);
  if (tool === undefined) return unknownTool(tools, tool_name);
  if (invalid_input !== undefined) return `The input of ${tool_name} must be a JSON object, and it is none.`;
  return inputProblem(tool, tool_input) ?? tool;
}

/** What in an input the tool can't take, for the model. */
function inputProblem({ name, input_schema }: Tool, input: unknown): string | undefined {
  const problem = checkInput(input_schema, input);
  return problem === undefined ? undefined : `The input of ${name} does not fit its schema. ${problem}`;
}

/** The same for an input that a hook wrote: it may hold the answers to what the tool would ask. */
export function rewrittenProblem(tool: Tool, input: ToolInput): string | undefined {
  const problem = inputProblem(tool, input);
  if (problem === undefined || !isRecord(input.answers)) return problem;
  const { answers: _, ...rest } = input;
  return inputProblem(tool, rest);
}

function unknownTool(tools: ReadonlyMap<string, Tool>, name: string): string {
  const left = new Set(tools.keys());
  const near: string[] = [];
  while (near.length < MOST_NAMES) {
    const next = nearestName(name, left);
    if (next === undefined) break;
    near.push(next);
    left.delete(next);
  }
  const names = near.length > 0 ? near : [...tools.keys()];
  const which =
    near.length > 0 ? `Did you mean ${near.join(" or ")}?` : `There are: ${names.join(", ") || "none"}.`;
  return `There is no tool ${JSON.stringify(name)}. ${which}`;
}
