type Schema = Readonly<Record<string, unknown>>;

const MOST_PROBLEMS = 5;
const DEEPEST = 64;
/** A schema that refers to itself could keep the check busy forever; after this many steps the rest is accepted. */
const MOST_STEPS = 100_000;
const LONGEST_SHOWN = 60;

/**
 * Says in a few sentences how an input violates a JSON Schema; `undefined` when it is valid. Supports what tool schemas
 * use: type, properties, required, additionalProperties, items, prefixItems, enum, const, the limits of numbers, strings
 * and lists, anyOf, oneOf, allOf and local `$ref`. Ignores any other keyword: the tool itself checks further. Never
 * throws.
 *
 * Not ajv: schemas come from MCP servers and are not trusted. Ajv generates code from a schema and treats it like the
 * application's own code, runs its `pattern` without a time limit, and refuses schemas with unknown keywords or formats.
 */
export function checkInput(schema: Schema, input: unknown): string | undefined {
  const problems: string[] = [];
  check(schema, input, { root: schema, at: "", depth: 0, problems, steps: { left: MOST_STEPS } });
  if (problems.length === 0) return undefined;
  const more = problems.length - MOST_PROBLEMS;
  return [...problems.slice(0, MOST_PROBLEMS), ...(more > 0 ? [`And ${more} more.`] : [])].join(" ");
}

interface Site {
  readonly root: Schema;
  /** The place in the input, as `todos[0].status`; empty for the input itself. */
  readonly at: string;
  readonly depth: number;
  readonly problems: string[];
  readonly steps: { left: number };
}

function check(schema: unknown, value: unknown, site: Site): void {
  if (schema === false) problem(site, "is not allowed");
  site.steps.left -= 1;
  if (!isObject(schema) || site.depth > DEEPEST || site.steps.left < 0) return;
  const types = typeof schema.type === "string" ? [schema.type] : stringsOf(schema.type);
  if (types.length > 0 && !types.some((type) => isOfType(value, type))) {
    problem(site, `must be ${types.join(" or ")}, but is ${describeValue(value)}`);
    return;
  }
  checkReference(schema, value, site);
  checkValues(schema, value, site);
  checkLimits(schema, value, site);
  if (isObject(value)) checkProperties(schema, value, site);
  if (Array.isArray(value)) checkItems(schema, value, site);
  for (const part of listOf(schema.allOf)) check(part, value, inside(site));
  checkAlternatives(listOf(schema.anyOf), value, site);
  // Like anyOf: a model can do nothing with the news that its input is valid twice.
  checkAlternatives(listOf(schema.oneOf), value, site);
}

interface Limit {
  readonly words: string;
  readonly measure: (value: unknown) => number | undefined;
  readonly holds: (measured: number, limit: number) => boolean;
  /** What is counted, when something is. */
  readonly unit?: string;
}

const number = (value: unknown) => (typeof value === "number" ? value : undefined);
const characters = (value: unknown) => (typeof value === "string" ? [...value].length : undefined);
const items = (value: unknown) => (Array.isArray(value) ? value.length : undefined);
const atLeast = (measured: number, limit: number) => measured >= limit;
const atMost = (measured: number, limit: number) => measured <= limit;

const LIMITS: readonly (readonly [keyword: string, limit: Limit])[] = Object.entries({
  minimum: { words: "must be at least", measure: number, holds: atLeast },
  maximum: { words: "must be at most", measure: number, holds: atMost },
  exclusiveMinimum: { words: "must be more than", measure: number, holds: (is, limit) => is > limit },
  exclusiveMaximum: { words: "must be less than", measure: number, holds: (is, limit) => is < limit },
  minLength: { words: "must have at least", measure: characters, holds: atLeast, unit: "character" },
  maxLength: { words: "must have at most", measure: characters, holds: atMost, unit: "character" },
  minItems: { words: "must have at least", measure: items, holds: atLeast, unit: "item" },
  maxItems: { words: "must have at most", measure: items, holds: atMost, unit: "item" },
} satisfies Record<string, Limit>);

function checkLimits(schema: Schema, value: unknown, site: Site): void {
  for (const [keyword, { words, measure, holds, unit }] of LIMITS) {
    const limit = schema[keyword];
    if (typeof limit !== "number") continue;
    const measured = measure(value);
    if (measured === undefined || holds(measured, limit)) continue;
    const counted = unit === undefined ? "" : ` ${unit}${limit === 1 ? "" : "s"}`;
    problem(site, `${words} ${limit}${counted}, but ${unit === undefined ? "is" : "has"} ${measured}`);
  }
}

function checkReference({ $ref }: Schema, value: unknown, site: Site): void {
  if (typeof $ref !== "string" || !$ref.startsWith("#")) return;
  let found: unknown = site.root;
  for (const part of $ref.slice(1).split("/").filter(Boolean)) {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    found = isObject(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  }
  check(found, value, inside(site));
}

function checkValues(schema: Schema, value: unknown, site: Site): void {
  const constant = Object.hasOwn(schema, "const") ? [schema.const] : [];
  const allowed = (Array.isArray(schema.enum) ? schema.enum : constant).map((one) => JSON.stringify(one));
  if (allowed.length === 0 || allowed.includes(JSON.stringify(value))) return;
  const list = `${allowed.length > 1 ? "one of " : ""}${allowed.join(", ")}`;
  problem(site, `must be ${list}, but is ${describeValue(value)}`);
}

function checkProperties(schema: Schema, value: Schema, site: Site): void {
  const known = isObject(schema.properties) ? schema.properties : {};
  for (const name of stringsOf(schema.required))
    if (!Object.hasOwn(value, name)) problem(insideField(site, name), "is missing");
  for (const [name, item] of Object.entries(value)) {
    const field = insideField(site, name);
    if (Object.hasOwn(known, name)) check(known[name], item, field);
    // The name may match one of the patterns, which are not checked.
    else if (schema.patternProperties !== undefined) continue;
    else if (schema.additionalProperties !== false) check(schema.additionalProperties, item, field);
    else problem(field, `is no field; there are ${Object.keys(known).join(", ") || "none"}`);
  }
}

function checkItems(schema: Schema, value: readonly unknown[], site: Site): void {
  const first = listOf(schema.prefixItems);
  for (const [index, item] of value.entries()) {
    if (site.problems.length > MOST_PROBLEMS) return;
    check(index < first.length ? first[index] : schema.items, item, inside(site, `${site.at}[${index}]`));
  }
}

function checkAlternatives(alternatives: readonly unknown[], value: unknown, site: Site): void {
  if (alternatives.length === 0) return;
  const tries = alternatives.map((alternative) => {
    const problems: string[] = [];
    check(alternative, value, { ...inside(site), problems });
    return problems;
  });
  if (tries.some((problems) => problems.length === 0)) return;
  problem(site, `fits none of the ${tries.length} forms it can have`);
  const nearest = tries.reduce((best, problems) => (problems.length < best.length ? problems : best));
  site.problems.push(...nearest.slice(0, 1));
}

function problem(site: Site, text: string): void {
  site.problems.push(`${site.at === "" ? "The input" : site.at} ${text}.`);
}

function inside(site: Site, at = site.at): Site {
  return { ...site, at, depth: site.depth + 1 };
}

function insideField(site: Site, name: string): Site {
  return inside(site, site.at === "" ? name : `${site.at}.${name}`);
}

const TYPES: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  ["string", (value) => typeof value === "string"],
  ["number", (value) => typeof value === "number"],
  ["integer", (value) => Number.isInteger(value)],
  ["boolean", (value) => typeof value === "boolean"],
  ["null", (value) => value === null],
  ["array", (value) => Array.isArray(value)],
  ["object", isObject],
]);

/** An unknown type accepts every value. */
function isOfType(value: unknown, type: string): boolean {
  return TYPES.get(type)?.(value) ?? true;
}

function describeValue(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (isObject(value)) return "an object";
  if (typeof value === "string" && value.length > LONGEST_SHOWN)
    return `a string of ${value.length} characters`;
  return JSON.stringify(value) ?? `${typeof value}`;
}

function isObject(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function stringsOf(value: unknown): readonly string[] {
  return listOf(value).filter((item) => typeof item === "string");
}
