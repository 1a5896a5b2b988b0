import { checkKeys } from "../../core/base/check-options.ts";
import { invalidOption } from "../../core/base/errors.ts";
import { frozenCopy, isRecord } from "../../core/base/json.ts";
import { fileMark } from "../../core/contracts/content.ts";
import type { Tool, ToolContext, ToolResult } from "../../core/contracts/tool.ts";
import type { InputOf, OutputOf } from "../../core/contracts/tool-types.ts";
import { checkInput } from "../../node/schema/check-input.ts";
import { readContent } from "../../shared/contracts/read-content.ts";
import {
  type AnySchema,
  type ReadSchema,
  readSchema,
  type StandardSchema,
} from "../../shared/contracts/schema.ts";
import { failed } from "./input.ts";

/** What a call outside of an agent may say about itself. The AI SDK gives `toolCallId` and `abortSignal`. */
export type CallContext = Partial<ToolContext> & {
  readonly toolCallId?: string;
  readonly abortSignal?: AbortSignal | undefined;
};

/** A tool with a typed input. Agents take it, and so do `generateText` and `streamText` of the AI SDK. */
export interface TypedTool<Input, Output, Name extends string = string> extends Tool {
  readonly name: Name;
  /** The schema of the input. */
  readonly inputSchema: StandardSchema<Input>;
  /** Runs the call in a loop of your own. Missing parts of the context have defaults. */
  run(input: Readonly<Record<string, unknown>>, context?: CallContext): Promise<ToolResult>;
  /**
   * Runs the call and returns what the tool returns.
   *
   * @throws TenterhookError `tool_failed` for an input that does not fit; what the tool throws.
   */
  execute(input: Input, context?: CallContext): Promise<Output>;
  /** What a model of the AI SDK reads of a result. */
  toModelOutput(options: { readonly output: unknown }): ModelOutput;
}

/** A result as the AI SDK takes it. */
export type ModelOutput =
  | { type: "text" | "error-text"; value: string }
  | {
      type: "content";
      value: (
        | { type: "text"; text: string }
        | { type: "image-data"; data: string; mediaType: string }
        | { type: "file-data"; data: string; mediaType: string; filename?: string }
      )[];
    };

interface ToolBase<Name extends string, Input extends AnySchema>
  extends Pick<Tool, "annotations" | "replay" | "preview"> {
  readonly name: Name;
  /** What the model reads about it. */
  readonly description: string;
  /** A zod schema or any other Standard Schema, or a JSON Schema, of an object. `run` has the type that it describes. */
  readonly input: Input;
}

/** The input of `run`: what the schema makes of it. */
type RunInput<Input> = unknown extends OutputOf<Input> ? Readonly<Record<string, unknown>> : OutputOf<Input>;

const KEYS = ["name", "description", "input", "output", "annotations", "replay", "preview", "run"];

/**
 * Makes a tool from a schema. `run` gets an input that fits it, converted, and returns a string, a result with `content`, or data
 * that the model reads as JSON. Throwing is a failed call: the model reads the message.
 *
 * @throws TenterhookError `invalid_option`, `unknown_option`.
 * @example
 * const weather = tool({
 *   name: "Weather",
 *   description: "The weather of a city.",
 *   input: z.object({ city: z.string() }),
 *   run: async ({ city }) => forecast(city),
 * });
 */
export function tool<
  const Name extends string,
  const Input extends AnySchema,
  const Output extends AnySchema,
>(
  definition: ToolBase<Name, Input> & {
    /** Checks what `run` returns. */
    readonly output: Output;
    readonly run: (
      input: RunInput<Input>,
      context: ToolContext,
    ) => InputOf<Output> | PromiseLike<InputOf<Output>>;
  },
): TypedTool<InputOf<Input>, OutputOf<Output>, Name>;
export function tool<const Name extends string, const Input extends AnySchema, Result>(
  definition: ToolBase<Name, Input> & {
    readonly output?: undefined;
    readonly run: (input: RunInput<Input>, context: ToolContext) => Result | PromiseLike<Result>;
  },
): TypedTool<InputOf<Input>, Result, Name>;
export function tool(
  definition: ToolBase<string, AnySchema> & {
    readonly output?: AnySchema | undefined;
    run(input: unknown, context: ToolContext): unknown;
  },
): TypedTool<unknown, unknown> {
  checkKeys(definition, KEYS, "tool");
  const { name, description, annotations, replay, preview } = definition;
  if (typeof name !== "string" || name === "")
    throw invalidOption("tool: name must be a string that is not empty.");
  const place = `tool ${JSON.stringify(name)}`;
  const input = readSchema(definition.input, `${place}: input`, checkInput);
  if (input.json_schema.type !== "object")
    throw invalidOption(`${place}: input must be the schema of an object.`);
  const output =
    definition.output === undefined
      ? undefined
      : readSchema(definition.output, `${place}: output`, checkInput);
  const execute = async (given: unknown, context: CallContext = {}): Promise<unknown> => {
    const value = await fitting(input, given, `The input of ${name}`);
    const result: unknown = await definition.run(value, contextOf(context));
    return output === undefined ? result : fitting(output, result, `The result of ${name}`);
  };
  return {
    name,
    description,
    input_schema: input.json_schema,
    annotations,
    replay,
    preview,
    inputSchema: standardOf(input),
    execute,
    toModelOutput: ({ output: given }) => modelOutput(resultOf(given, output !== undefined), name),
    run: async (given, context) => resultOf(await execute(given, context), output !== undefined),
  };
}

async function fitting(schema: ReadSchema, value: unknown, what: string): Promise<unknown> {
  const found = await schema.check(value);
  if ("value" in found) return found.value;
  throw failed(`${what} does not fit its schema. ${found.problem}`);
}

/** The schema as other libraries take it. */
function standardOf({ json_schema, check }: ReadSchema): StandardSchema {
  return {
    "~standard": {
      version: 1,
      vendor: "tenterhook",
      validate: async (value) => {
        const found = await check(value);
        // The input as it was given: `execute` converts it, and a second conversion could fail.
        return "value" in found ? { value } : { issues: [{ message: found.problem }] };
      },
      jsonSchema: { input: () => json_schema, output: () => json_schema },
    },
  };
}

/** What a tool returned as a result. With an output schema everything is data. */
export function resultOf(value: unknown, isData = false): ToolResult {
  if (!isData && isResult(value)) return value;
  if (typeof value === "string") return { content: value };
  if (value === undefined) return { content: "Done." };
  const data = frozenCopy(value);
  return { content: JSON.stringify(data) ?? "Done.", data };
}

export function isResult(value: unknown): value is ToolResult {
  return isRecord(value) && (typeof value.content === "string" || Array.isArray(value.content));
}

export function isTool(value: unknown): value is Tool {
  if (!isRecord(value)) return false;
  return typeof value.name === "string" && isRecord(value.input_schema) && typeof value.run === "function";
}

function modelOutput(result: ToolResult, name: string): ModelOutput {
  const { content, is_error, additional_context: added } = result;
  if (typeof content === "string") {
    const value = [content, added ?? []].flat().join("\n\n");
    return { type: is_error === true ? "error-text" : "text", value };
  }
  const given = readContent(content, `The result of ${name}: content`);
  const parts = added === undefined ? given : [...given, { type: "text" as const, text: added }];
  const value = parts.map((part) => {
    if (part.type === "text") return { type: "text" as const, text: part.text };
    const { media_type: mediaType, data, filename } = part;
    // The AI SDK would fetch an address on this machine.
    if (data === undefined) return { type: "text" as const, text: fileMark(part) };
    if (mediaType.startsWith("image/")) return { type: "image-data" as const, data, mediaType };
    return { type: "file-data" as const, data, mediaType, filename };
  });
  return { type: "content", value };
}

function contextOf({ toolCallId = "", abortSignal, ...given }: CallContext): ToolContext {
  const cwd = given.cwd ?? process.cwd();
  return {
    session_id: "",
    agent_id: "",
    tool_use_id: toolCallId,
    cwd,
    workspace: [cwd],
    signal: abortSignal ?? new AbortController().signal,
    sandbox: "off",
    environment: process.env,
    progress: () => {},
    memory: new Map(),
    host: { mode: "default" },
    ...given,
  };
}
