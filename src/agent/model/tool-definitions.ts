import type { LanguageModelV3FunctionTool } from "@ai-sdk/provider";
import { frozenCopy, isRecord } from "../../core/base/json.ts";
import type { Tool } from "../../core/contracts/tool.ts";
import { wellFormed } from "../../shared/well-formed.ts";

/** A tool as the model and PreModelRequest hooks see it. */
export type ToolDefinition = Readonly<Pick<Tool, "name" | "description" | "input_schema">>;

/** The definitions of all tools; every request and event shares them. */
export interface ToolDefinitions {
  readonly shown: readonly ToolDefinition[];
  readonly sent: LanguageModelV3FunctionTool[];
}

export function defineTools(tools: Iterable<Tool>): ToolDefinitions {
  const shown = frozenCopy(
    [...tools].map(({ name, description, input_schema }) => ({ name, description, input_schema })),
  );
  return { shown, sent: sentTools(shown) };
}

/** Definitions in the form in which they are sent, well-formed. Invalid ones are left out. */
export function sentTools(tools: readonly unknown[]): LanguageModelV3FunctionTool[] {
  return wellFormed(tools).flatMap((tool): LanguageModelV3FunctionTool[] => {
    if (!isRecord(tool) || typeof tool.name !== "string" || !isSchema(tool.input_schema)) return [];
    const { name, description, input_schema: inputSchema } = tool;
    return [
      {
        type: "function",
        name,
        inputSchema,
        ...(typeof description === "string" ? { description } : {}),
      },
    ];
  });
}

/** The provider rejects an invalid schema. */
function isSchema(value: unknown): value is LanguageModelV3FunctionTool["inputSchema"] {
  return isRecord(value);
}
