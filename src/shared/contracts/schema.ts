import { errorMessage } from "../../core/base/error-text.ts";
import { invalidOption } from "../../core/base/errors.ts";
import { isRecord } from "../../core/base/json.ts";

/** A JSON Schema, draft 2020-12 or 7. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** What a Standard Schema found: the value, converted; or what is wrong with it. */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/** One thing that is wrong with a value. */
export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** A version of JSON Schema. We ask for draft 2020-12. */
export type SchemaTarget = "draft-2020-12" | "draft-07" | "openapi-3.0" | (string & {});

/** What schema libraries (zod, valibot, arktype …) have in common: https://standardschema.dev, version 1. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    /** Not every library has it. */
    readonly jsonSchema?: {
      readonly input: (options: { readonly target: SchemaTarget }) => JsonSchema;
      readonly output: (options: { readonly target: SchemaTarget }) => JsonSchema;
    };
  };
}

/** A Standard Schema of a library that does not say its JSON Schema, with it. */
export interface SchemaWithJson<Schema extends StandardSchema = StandardSchema> {
  readonly schema: Schema;
  readonly json_schema: JsonSchema;
}

/** A zod schema or any other Standard Schema, or a JSON Schema. */
export type AnySchema = StandardSchema | SchemaWithJson | JsonSchema;

/** A value that fits, converted; or sentences that say what is wrong with it. */
export type Checked = { readonly value: unknown } | { readonly problem: string };

/** A schema that can be sent and checked. */
export interface ReadSchema {
  readonly json_schema: JsonSchema;
  check(value: unknown): Promise<Checked>;
}

/** Every non-trivial JSON Schema has at least one of these keywords. */
const KEYWORDS = "type properties items enum const anyOf oneOf allOf not if $ref".split(" ");

/**
 * Reads a schema as users give it.
 *
 * @param checkJson says what is wrong with a value by a JSON Schema.
 * @throws TenterhookError `invalid_option` for what is no schema, or has no JSON Schema.
 */
export function readSchema(
  given: unknown,
  place: string,
  checkJson: (schema: JsonSchema, value: unknown) => string | undefined,
): ReadSchema {
  if (isStandard(given))
    return { json_schema: jsonSchemaOf(given, place), check: (value) => checked(given, value) };
  if (isRecord(given)) {
    const { schema, json_schema } = given;
    if (isStandard(schema) && isRecord(json_schema))
      return { json_schema, check: (value) => checked(schema, value) };
    if (KEYWORDS.some((keyword) => keyword in given))
      return {
        json_schema: given,
        check: async (value) => {
          const problem = checkJson(given, value);
          return problem === undefined ? { value } : { problem };
        },
      };
  }
  throw invalidOption(
    `${place} must be a schema: of zod or another library with the Standard Schema interface, or a JSON Schema.`,
  );
}

/** Some libraries make schemas that are functions. */
function isStandard(value: unknown): value is StandardSchema {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return false;
  if (!("~standard" in value)) return false;
  const standard: unknown = value["~standard"];
  return isRecord(standard) && typeof standard.validate === "function";
}

function jsonSchemaOf({ "~standard": { vendor, jsonSchema } }: StandardSchema, place: string): JsonSchema {
  if (jsonSchema === undefined)
    throw invalidOption(
      `${place}: the schema of ${JSON.stringify(vendor)} does not say its JSON Schema. Give { schema, json_schema } instead.`,
    );
  try {
    return jsonSchema.input({ target: "draft-2020-12" });
  } catch (error) {
    throw invalidOption(`${place}: the schema has no JSON Schema: ${errorMessage(error)}`);
  }
}

const MOST_ISSUES = 5;

async function checked({ "~standard": standard }: StandardSchema, given: unknown): Promise<Checked> {
  const result = await standard.validate(given);
  if (result.issues === undefined) return { value: result.value };
  const issues = result.issues.map(({ path = [], message }) => {
    const place = path.map((key) => String(typeof key === "object" ? key.key : key)).join(".");
    return place === "" ? message : `${place}: ${message}`;
  });
  const more = issues.length - MOST_ISSUES;
  return { problem: [...issues.slice(0, MOST_ISSUES), ...(more > 0 ? [`${more} more`] : [])].join("; ") };
}
