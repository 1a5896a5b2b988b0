import type { InputOf } from "./schema-types.ts";

/* What the compiler knows of a tool that a hook names: our tools, functions, tools of the AI SDK, tools with a schema. */

/** What a tool is called with. */
export type ToolInput = Readonly<Record<string, unknown>>;

/** The result of a tool: the last value of an async generator, else what it returns. */
export type ToolOutput<Result> =
  Result extends AsyncGenerator<infer Value, infer Last> ? Value | Last : Result;

/** Tools that a hook is for: names and patterns, tools with a name, or tools and functions by name. */
export type ToolFilter = string | NamedTool | readonly (string | NamedTool)[] | ToolsByName;

/** One of our tools, or one of an MCP server: the compiler reads its `execute`, or else its schema. */
export interface NamedTool {
  readonly name: string;
}

/** Functions or tools of the AI SDK, by name. */
export type ToolsByName = Readonly<Record<string, object>> & { readonly name?: object };

/** What the compiler knows of the calls of a tool. */
export interface ToolTypes<Name extends PropertyKey = string, Input = ToolInput, Result = unknown> {
  readonly name: Name;
  readonly input: Input;
  readonly result: Result;
}

/** What the compiler knows of the calls of any tool. */
export type AnyToolTypes = ToolTypes<PropertyKey, unknown>;

/** The tools of a filter, each with its types. */
export type ToolsIn<Filter> = Filter extends string
  ? ToolTypes
  : Filter extends readonly (infer One)[]
    ? ToolsIn<One>
    : Filter extends NamedTool
      ? ToolTypes<Filter["name"], InputOfTool<Filter>, ResultOfTool<Filter>>
      : {
          [Name in keyof Filter]: ToolTypes<Name, InputOfTool<Filter[Name]>, ResultOfTool<Filter[Name]>>;
        }[keyof Filter];

/** The function of a tool: a function is a tool itself, others have `execute`. */
type RunOf<Tool> = Tool extends (...given: never[]) => unknown
  ? Tool
  : "execute" extends keyof Tool
    ? NonNullable<Tool["execute"]>
    : never;

/** The input before a schema converts it, as hooks see it. */
type InputOfTool<Tool> = [RunOf<Tool>] extends [never]
  ? Tool extends { readonly inputSchema: infer Schema } | { readonly input_schema: infer Schema }
    ? KnownInput<InputOf<Schema>>
    : ToolInput
  : RunOf<Tool> extends (input: infer Input, ...more: never[]) => unknown
    ? KnownInput<Input>
    : ToolInput;

type KnownInput<Input> = unknown extends Input
  ? ToolInput
  : [Input] extends [never]
    ? ToolInput
    : Readonly<Input>;

type ResultOfTool<Tool> = [RunOf<Tool>] extends [never]
  ? unknown
  : RunOf<Tool> extends (...given: never[]) => infer Result
    ? Settled<Result>
    : unknown;

type Settled<Result> =
  Result extends AsyncGenerator<infer Value, infer Last>
    ? Value | Last
    : Result extends AsyncIterable<infer Value>
      ? Value
      : Awaited<Result>;
