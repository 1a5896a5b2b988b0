import {
  dereference,
  type Schema as LibrarySchema,
  type OutputUnit,
  type SchemaDraft,
  validate,
} from "@cfworker/json-schema";

type Schema = Readonly<Record<string, unknown>>;

interface Compiled {
  readonly schema: LibrarySchema;
  readonly lookup: Record<string, LibrarySchema | boolean>;
  readonly draft: SchemaDraft;
}

const MOST_PROBLEMS = 5;
const compiled = new WeakMap<Schema, Compiled>();

/**
 * Says in a few sentences how an input, which is JSON data, violates a JSON Schema of draft 2020-12 or 7; `undefined` when it is valid. `format`
 * is an annotation, as in the drafts, and what a schema does not say in a way that can be checked, such as a reference
 * to nothing, refuses nothing. Never throws.
 *
 * Not ajv: schemas come from MCP servers, and ajv generates code from them.
 */
export function checkInput(schema: Schema, input: unknown): string | undefined {
  try {
    const whole = compiled.get(schema) ?? compile(schema);
    compiled.set(schema, whole);
    const { errors, valid } = validate(input, whole.schema, whole.draft, whole.lookup, false);
    if (valid) return undefined;
    const exact = errors.filter(({ keyword }) => !AROUND.has(keyword));
    const problems = (exact.length > 0 ? exact : errors).map(sentenceOf);
    const more = problems.length - MOST_PROBLEMS;
    return [...problems.slice(0, MOST_PROBLEMS), ...(more > 0 ? [`And ${more} more.`] : [])].join(" ");
  } catch (error) {
    return error instanceof RangeError ? "The schema of the tool is too complex to be checked." : undefined;
  }
}

/** A copy, since the library writes into the schema. */
function compile(schema: Schema): Compiled {
  const copy: LibrarySchema = JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
    typeof value === "string" && (key === "format" || (key === "pattern" && !isPattern(value)))
      ? undefined
      : value,
  );
  const { $schema } = schema;
  const draft = typeof $schema === "string" && /draft-0[4-7]/.test($schema) ? "7" : "2020-12";
  return { schema: copy, lookup: dereference(copy), draft };
}

function isPattern(text: string): boolean {
  try {
    return new RegExp(text, "u") !== undefined;
  } catch {
    return false;
  }
}

/** Keywords whose error only says that others follow, of what they contain; `false` follows one that names the property. */
const AROUND = new Set(
  "$ref $recursiveRef allOf if properties patternProperties propertyNames dependentSchemas prefixItems items additionalItems unevaluatedItems false".split(
    " ",
  ),
);

/** An error of the library with its place in the input, as `todos[0].status`. */
function sentenceOf({ instanceLocation, error }: OutputUnit): string {
  const place = instanceLocation
    .split("/")
    .slice(1)
    .map((part) => decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~"))
    .map((name) => (/^\d+$/.test(name) ? `[${name}]` : `.${name}`))
    .join("")
    .replace(/^\./, "");
  return `${place === "" ? "The input" : place}: ${error}`;
}
