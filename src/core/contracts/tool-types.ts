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

/* What the compiler learns from a schema. The checks are elsewhere. */

/** The type of what a schema makes of a valid value. */
export type OutputOf<Schema> = SchemaType<Schema, "output">;

/** The type of a value that a schema takes. */
export type InputOf<Schema> = SchemaType<Schema, "input">;

/** A Standard Schema says both sides; with its JSON Schema it is `schema` of an object; else it is a JSON Schema. */
type SchemaType<Schema, Side extends "input" | "output"> = Schema extends {
  readonly "~standard": { readonly types?: infer Types };
}
  ? NonNullable<Types> extends Readonly<Record<Side, infer Type>>
    ? Type
    : unknown
  : Schema extends { readonly schema: infer Inner extends { readonly "~standard": unknown } }
    ? SchemaType<Inner, Side>
    : JsonSchemaType<Schema>;

/** The type that a JSON Schema describes, as far as its literals are known; what it does not say is `unknown`. */
type JsonSchemaType<Schema> = Schema extends { readonly const: infer Value }
  ? Value
  : Schema extends { readonly enum: readonly (infer Value)[] }
    ? Value
    : Schema extends { readonly anyOf: readonly (infer One)[] } | { readonly oneOf: readonly (infer One)[] }
      ? JsonSchemaType<One>
      : Schema extends { readonly type: infer Type extends keyof Primitives }
        ? Primitives[Type]
        : Schema extends { readonly type: "array"; readonly items: infer Item }
          ? readonly JsonSchemaType<Item>[]
          : Schema extends { readonly type: "object"; readonly properties: infer Properties }
            ? ObjectType<
                Properties,
                Schema extends { readonly required: readonly (infer Key)[] } ? Key : never
              >
            : unknown;

interface Primitives {
  string: string;
  number: number;
  integer: number;
  boolean: boolean;
  null: null;
}

type ObjectType<Properties, Needed> = Flat<
  { readonly [Key in keyof Properties & Needed]: JsonSchemaType<Properties[Key]> } & {
    readonly [Key in Exclude<keyof Properties, Needed>]?: JsonSchemaType<Properties[Key]>;
  }
>;

type Flat<T> = { [Key in keyof T]: T[Key] };
