type Schema = Readonly<Record<string, unknown>>;

const MOST_PROBLEMS = 5;
const DEEPEST = 64;
/** A schema of references to itself could keep the check busy for ever; past this the rest counts as fitting. */
const MOST_STEPS = 100_000;

/**
 * Says in a few sentences what in an input does not fit a JSON Schema, or nothing when it fits. Knows the part of JSON
 * Schema that inputs of tools are written in: type, properties, required, additionalProperties, items, prefixItems, enum,
 * const, the bounds of numbers, texts and lists, anyOf, oneOf, allOf and local `$ref`. A keyword it does not know (`pattern`
 * and `format` among them) asks for nothing: whoever runs the tool checks further. Never throws.
 */
export function checkInput(schema: Schema, input: unknown): string | undefined {
  const problems: string[] = [];
  check(schema, input, { root: schema, at: "", depth: 0, problems, steps: { left: MOST_STEPS } });
  if (problems.length === 0) return undefined;
  const shown = problems.slice(0, MOST_PROBLEMS);
  const more = problems.length - shown.length;
  return [...shown, ...(more > 0 ? [`And ${more} more.`] : [])].join(" ");
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
  const { type } = schema;
  if (typeof type === "string" ? !isOfType(value, type) : !isOfSomeType(value, textsOf(type))) {
    const types = typeof type === "string" ? type : textsOf(type).join(" or ");
    problem(site, `must be ${types}, but is ${describeValue(value)}`);
    return;
  }
  for (const ask of asksOf(schema)) ask(schema, value, site);
}

function isOfSomeType(value: unknown, types: readonly string[]): boolean {
  return types.length === 0 || types.some((type) => isOfType(value, type));
}

type Ask = (schema: Schema, value: unknown, site: Site) => void;

interface Bound {
  readonly words: string;
  readonly measure: (value: unknown) => number | undefined;
  readonly fits: (measured: number, bound: number) => boolean;
  /** What is counted, when something is. */
  readonly unit?: string;
}

const number = (value: unknown) => (typeof value === "number" ? value : undefined);
const characters = (value: unknown) => (typeof value === "string" ? [...value].length : undefined);
const items = (value: unknown) => (Array.isArray(value) ? value.length : undefined);
const atLeast = (measured: number, bound: number) => measured >= bound;
const atMost = (measured: number, bound: number) => measured <= bound;

const BOUNDS: Readonly<Record<string, Bound>> = {
  minimum: { words: "must be at least", measure: number, fits: atLeast },
  maximum: { words: "must be at most", measure: number, fits: atMost },
  exclusiveMinimum: { words: "must be more than", measure: number, fits: (is, bound) => is > bound },
  exclusiveMaximum: { words: "must be less than", measure: number, fits: (is, bound) => is < bound },
  minLength: { words: "must have at least", measure: characters, fits: atLeast, unit: "character" },
  maxLength: { words: "must have at most", measure: characters, fits: atMost, unit: "character" },
  minItems: { words: "must have at least", measure: items, fits: atLeast, unit: "item" },
  maxItems: { words: "must have at most", measure: items, fits: atMost, unit: "item" },
};

const BOUND_KEYWORDS = Object.entries(BOUNDS);

/** Which keywords of a schema make it ask for something. */
const KEYWORDS: readonly (readonly [Ask, ...keywords: readonly string[]])[] = [
  [reference, "$ref"],
  [oneOfValues, "enum", "const"],
  [bounds, ...Object.keys(BOUNDS)],
  [properties, "properties", "required", "additionalProperties"],
  [listItems, "items", "prefixItems"],
  [allAlternatives, "allOf"],
  [someAlternative, "anyOf", "oneOf"],
];

/** What each schema asks for; most ask for little, and every call is checked. */
const asks = new WeakMap<Schema, readonly Ask[]>();

function asksOf(schema: Schema): readonly Ask[] {
  let known = asks.get(schema);
  if (known === undefined) {
    const wanted = KEYWORDS.filter(([, ...keywords]) => keywords.some((name) => Object.hasOwn(schema, name)));
    known = wanted.map(([ask]) => ask);
    asks.set(schema, known);
  }
  return known;
}

function reference(schema: Schema, value: unknown, site: Site): void {
  if (typeof schema.$ref !== "string" || !schema.$ref.startsWith("#")) return;
  let found: unknown = site.root;
  for (const part of schema.$ref.slice(1).split("/").filter(Boolean)) {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    found = isObject(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  }
  check(found, value, deeper(site));
}

function oneOfValues(schema: Schema, value: unknown, site: Site): void {
  const values = Array.isArray(schema.enum)
    ? schema.enum
    : Object.hasOwn(schema, "const")
      ? [schema.const]
      : [];
  if (values.length === 0) return;
  const text = JSON.stringify(value);
  if (values.some((allowed) => JSON.stringify(allowed) === text)) return;
  const list = values.map((allowed) => JSON.stringify(allowed)).join(", ");
  problem(site, `must be ${values.length > 1 ? "one of " : ""}${list}, but is ${describeValue(value)}`);
}

function bounds(schema: Schema, value: unknown, site: Site): void {
  for (const [keyword, { words, measure, fits, unit }] of BOUND_KEYWORDS) {
    const bound = schema[keyword];
    const measured = typeof bound === "number" ? measure(value) : undefined;
    if (typeof bound !== "number" || measured === undefined || fits(measured, bound)) continue;
    const counted = unit === undefined ? "" : ` ${unit}${bound === 1 ? "" : "s"}`;
    problem(site, `${words} ${bound}${counted}, but ${unit === undefined ? "is" : "has"} ${measured}`);
  }
}

function properties(schema: Schema, value: unknown, site: Site): void {
  if (!isObject(value)) return;
  const known = isObject(schema.properties) ? schema.properties : {};
  for (const name of textsOf(schema.required)) {
    if (!Object.hasOwn(value, name)) problem(inside(site, name), "is missing");
  }
  for (const name of Object.keys(value)) {
    const item = value[name];
    if (Object.hasOwn(known, name)) check(known[name], item, inside(site, name));
    // The name may fit one of the patterns, which are not looked at.
    else if (schema.patternProperties !== undefined) continue;
    else if (schema.additionalProperties === false) unknownName(name, known, site);
    else check(schema.additionalProperties, item, inside(site, name));
  }
}

function unknownName(name: string, known: Schema, site: Site): void {
  const names = Object.keys(known);
  const list = names.length === 0 ? "there are none" : `there are ${names.join(", ")}`;
  problem(inside(site, name), `is no field; ${list}`);
}

function listItems(schema: Schema, value: unknown, site: Site): void {
  if (!Array.isArray(value)) return;
  const first = Array.isArray(schema.prefixItems) ? schema.prefixItems : [];
  for (const [index, item] of value.entries()) {
    if (site.problems.length > MOST_PROBLEMS) return;
    const fitting: unknown = index < first.length ? first[index] : schema.items;
    check(fitting, item, deeper(site, `${site.at}[${index}]`));
  }
}

function allAlternatives(schema: Schema, value: unknown, site: Site): void {
  if (Array.isArray(schema.allOf)) for (const part of schema.allOf) check(part, value, deeper(site));
}

/** `oneOf` is read like `anyOf`: a model can do nothing with the news that its input fits twice. */
function someAlternative(schema: Schema, value: unknown, site: Site): void {
  for (const alternatives of [schema.anyOf, schema.oneOf]) {
    if (!Array.isArray(alternatives) || alternatives.length === 0) continue;
    const tries = alternatives.map((alternative) => {
      const problems: string[] = [];
      check(alternative, value, { ...deeper(site), problems });
      return problems;
    });
    if (tries.some((problems) => problems.length === 0)) continue;
    problem(site, `fits none of the ${tries.length} forms it can have`);
    const nearest = tries.reduce((best, problems) => (problems.length < best.length ? problems : best));
    site.problems.push(...nearest.slice(0, 1));
  }
}

function problem(site: Site, text: string): void {
  site.problems.push(`${site.at === "" ? "The input" : site.at} ${text}.`);
}

function inside(site: Site, name: string): Site {
  return deeper(site, site.at === "" ? name : `${site.at}.${name}`);
}

/** A literal, since a spread costs up to fifty times as much on Node 20 and every field of every call comes here. */
function deeper({ root, depth, problems, steps, at: here }: Site, at = here): Site {
  return { root, at, depth: depth + 1, problems, steps };
}

function isObject(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

const TYPES: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  ["string", (value) => typeof value === "string"],
  ["number", (value) => typeof value === "number"],
  ["integer", (value) => Number.isInteger(value)],
  ["boolean", (value) => typeof value === "boolean"],
  ["null", (value) => value === null],
  ["array", (value) => Array.isArray(value)],
  ["object", (value) => typeof value === "object" && value !== null && !Array.isArray(value)],
]);

const LONGEST_SHOWN = 60;

/** True for a value of a type of JSON Schema; a type it does not know fits every value. */
function isOfType(value: unknown, type: string): boolean {
  return TYPES.get(type)?.(value) ?? true;
}

/** A value in a few words, for a message: short ones as they are, long ones by what they are. */
function describeValue(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (isOfType(value, "object")) return "an object";
  if (typeof value === "string" && value.length > LONGEST_SHOWN)
    return `a text of ${value.length} characters`;
  return JSON.stringify(value) ?? `${typeof value}`;
}
