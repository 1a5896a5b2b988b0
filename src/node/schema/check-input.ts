import {
  dereference,
  type Schema as LibrarySchema,
  type OutputUnit,
  type SchemaDraft,
  validate,
} from "@cfworker/json-schema";
import { isRecord } from "../../core/base/json.ts";
import { OTHER_PROPERTIES, parts, sentenceOf } from "./sentences.ts";

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
    const { errors } = validate(input, whole.schema, whole.draft, whole.lookup, false);
    const problems = problemsIn(errors, whole, input);
    if (problems.length === 0) return undefined;
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

/** Keywords whose error only says that others follow, of what they contain. */
const AROUND = new Set(
  "$ref $recursiveRef allOf if properties patternProperties propertyNames dependentSchemas prefixItems items additionalItems unevaluatedItems".split(
    " ",
  ),
);

function problemsIn(errors: readonly OutputUnit[], whole: Compiled, value: unknown): readonly string[] {
  const problems: string[] = [];
  for (let at = 0; at < errors.length; at += 1) {
    const error = errors[at];
    if (error === undefined || AROUND.has(error.keyword)) continue;
    const { keyword, keywordLocation, instanceLocation } = error;
    const parent = keyword === "false" ? {} : schemaAt(keywordLocation, whole);
    // The error of another property is followed by what is wrong with it, if any is allowed.
    if (OTHER_PROPERTIES.has(keyword) && parent[keyword] !== false) continue;
    problems.push(sentenceOf(error, parent, parts(instanceLocation).reduce(fieldOf, value)));
    if (OTHER_PROPERTIES.has(keyword)) at += 1;
    if (keyword !== "anyOf" && keyword !== "oneOf") continue;
    const forms = new Map<string, OutputUnit[]>();
    let form: OutputUnit[] = [];
    for (let next = errors[at + 1]; next !== undefined; next = errors[at + 1]) {
      if (next.keyword !== "false") {
        if (!next.keywordLocation.startsWith(`${keywordLocation}/`)) break;
        const [index = ""] = next.keywordLocation.slice(keywordLocation.length + 1).split("/");
        form = forms.get(index) ?? [];
        forms.set(index, form);
      }
      form.push(next);
      at += 1;
    }
    // Of the forms that do not fit, the one with the fewest problems was probably meant.
    const found = [...forms.values()].map((each) => problemsIn(each, whole, value));
    const [nearest = []] = found.sort((one, other) => one.length - other.length);
    problems.push(...nearest.slice(0, 1));
  }
  return problems;
}

/** The schema with the keyword at a place, across references. */
function schemaAt(location: string, { schema, lookup }: Compiled): Schema {
  let found: unknown = schema;
  for (const part of parts(location).slice(0, -1)) {
    if (part === "$ref" && isRecord(found)) found = lookup[String(found.__absolute_ref__ ?? found.$ref)];
    else found = fieldOf(found, part);
  }
  return isRecord(found) ? found : {};
}

function fieldOf(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value[Number(name)];
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
