import { invalidOption, type TenterhookError } from "../../core/base/errors.ts";
import { isRecord } from "../../core/base/json.ts";
import type { ContentPart } from "../../core/contracts/content.ts";
import type { Tool, ToolContext, ToolResult } from "../../core/contracts/tool.ts";
import type { AnySchema, StandardSchema } from "../../shared/contracts/schema.ts";
import { isTool, tool } from "./tool.ts";

/** A tool as `tool` of the AI SDK makes it, version 5 to 7. */
export interface AiSdkTool {
  readonly description?: string | ((options: never) => string) | undefined;
  readonly inputSchema: unknown;
  readonly contextSchema?: unknown;
  readonly execute?: ((input: never, options: never) => unknown) | undefined;
  readonly toModelOutput?: ((options: never) => unknown) | undefined;
  readonly needsApproval?: unknown;
}

/** Tools of the AI SDK by name, as `generateText` takes them. */
export type AiSdkTools = Readonly<Record<string, AiSdkTool>>;

/**
 * Makes tools of ours from tools of the AI SDK, to give them to an agent together with others. An agent also takes them as
 * they are.
 *
 * @throws TenterhookError `invalid_option` for a tool without `execute`, one with `needsApproval` or `contextSchema`, and
 *   one whose schema can't be read.
 * @example
 * const agent = new Agent({ model, tools: [...defaultTools(), ...aiSdkTools({ weather })] });
 */
export function aiSdkTools(tools: AiSdkTools): readonly Tool[] {
  return Object.entries(tools).map(([name, given]) => {
    if (!isRecord(given)) throw invalid(`tools.${name} is not a tool.`);
    if (!isTool(given)) return converted(name, given);
    if (given.name === name) return given;
    throw invalid(
      `tools.${name} is called ${JSON.stringify(given.name)}. Give both the same name, or give the tools as a list.`,
    );
  });
}

/** The tools of an agent, however they were given. */
export function toolList(tools: readonly Tool[] | AiSdkTools): readonly Tool[] {
  if (isList(tools)) return tools;
  if (!isRecord(tools)) throw invalid("tools must be a list of tools, or tools of the AI SDK by name.");
  return aiSdkTools(tools);
}

function isList(tools: readonly Tool[] | AiSdkTools): tools is readonly Tool[] {
  return Array.isArray(tools);
}

function converted(name: string, given: AiSdkTool): Tool {
  const { description = "", execute, inputSchema, contextSchema, toModelOutput, needsApproval } = given;
  if (typeof execute !== "function")
    throw invalid(`tools.${name} has no execute: a tool that somebody else runs can't be used here.`);
  if (needsApproval !== undefined && needsApproval !== false)
    throw invalid(
      `tools.${name} has needsApproval. Leave it out and give permissions: { ask: [${JSON.stringify(name)}] } instead.`,
    );
  if (contextSchema !== undefined)
    throw invalid(
      `tools.${name} has a contextSchema, and an agent has no context to give it. Use the values in execute directly.`,
    );
  const run = async (input: unknown, { tool_use_id: toolCallId, signal }: ToolContext): Promise<unknown> => {
    const options = { toolCallId, abortSignal: signal, messages: [], context: {} };
    const output = await lastOf(await Reflect.apply(execute, given, [input, options]));
    if (toModelOutput === undefined) return output;
    return resultOf(await Reflect.apply(toModelOutput, given, [{ toolCallId, input, output }]));
  };
  const text =
    typeof description === "function" ? Reflect.apply(description, given, [{ context: {} }]) : description;
  return tool({ name, description: text, input: schemaOf(inputSchema), run });
}

/** A tool may yield what it has so far; its last value is the result. */
async function lastOf(value: unknown): Promise<unknown> {
  if (!isRecord(value) || !isIterable(value)) return value;
  let last: unknown;
  for await (const next of value) last = next;
  return last;
}

function isIterable(value: object): value is AsyncIterable<unknown> {
  return Symbol.asyncIterator in value;
}

/** The schema of a tool: one of another library stays, one of the AI SDK has its JSON Schema and perhaps a check of its own. */
function schemaOf(given: unknown): AnySchema {
  const schema: unknown = typeof given === "function" && !("~standard" in given) ? given() : given;
  if (!isRecord(schema)) return {};
  const { jsonSchema: json_schema, validate } = schema;
  if (!isRecord(json_schema)) return schema;
  return typeof validate === "function"
    ? { schema: checkedBy((value) => Reflect.apply(validate, schema, [value])), json_schema }
    : json_schema;
}

function checkedBy(validate: (value: unknown) => unknown): StandardSchema {
  return {
    "~standard": {
      version: 1,
      vendor: "ai",
      validate: async (value) => {
        const found: unknown = await validate(value);
        if (isRecord(found) && found.success === true) return { value: found.value };
        const error = isRecord(found) ? found.error : undefined;
        return { issues: [{ message: error instanceof Error ? error.message : "It does not fit." }] };
      },
    },
  };
}

/** What the model reads, by the forms of the AI SDK. */
function resultOf(output: unknown): ToolResult {
  const { type, value, reason }: Readonly<Record<string, unknown>> = isRecord(output) ? output : {};
  const is_error = type === "error-text" || type === "error-json" || type === "execution-denied";
  if (type === "content" && Array.isArray(value)) return { content: value.map(partOf) };
  if (type === "execution-denied") return { content: String(reason ?? "The call was refused."), is_error };
  if (typeof value === "string") return { content: value, ...(is_error ? { is_error } : {}) };
  return { content: JSON.stringify(value) ?? "Done.", data: value, ...(is_error ? { is_error } : {}) };
}

function partOf(part: unknown): ContentPart {
  const { text, data, url, mediaType, filename }: Readonly<Record<string, unknown>> = isRecord(part)
    ? part
    : {};
  if (typeof text === "string") return { type: "text", text };
  const file = typeof data === "string" ? data : url;
  if (typeof file !== "string") return { type: "text", text: JSON.stringify(part) ?? "" };
  return {
    type: "file",
    data: file,
    ...(typeof mediaType === "string" ? { media_type: mediaType } : {}),
    ...(typeof filename === "string" ? { filename } : {}),
  };
}

function invalid(message: string): TenterhookError {
  return invalidOption(`new Agent: ${message}`);
}
