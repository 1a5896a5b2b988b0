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
