import { isRecord, listOf } from "../../core/base/json.ts";
import { checkItems, checkProperties } from "./check-parts.ts";
import { checkConstants, checkLimits, checkPattern, checkType, checkUnique } from "./check-values.ts";
import { findReference } from "./find-reference.ts";
import {
  addSeen,
  type Budget,
  type Check,
  inside,
  newSeen,
  problem,
  type Schema,
  type Site,
} from "./schema-site.ts";

const MOST_PROBLEMS = 5;
const DEEPEST = 400;
/** A schema that refers to itself could keep the check busy forever. */
const MOST_STEPS = 100_000;

/**
 * Says in a few sentences how an input violates a JSON Schema of draft 2020-12 or 7; `undefined` when it is valid. Checks
 * every keyword that asserts something; `format` and the content keywords are annotations, as in the drafts. A schema that is
 * too complex is a problem of its own: it takes bounded time, whatever it says. Never throws.
 *
 * Not ajv: schemas come from MCP servers and are not trusted. Ajv generates code from a schema and treats it like the
 * application's own code, and a few lines of nested `anyOf` keep that code busy for hours.
 */
export function checkInput(schema: Schema, input: unknown): string | undefined {
  const problems: string[] = [];
  const budget: Budget = { steps: MOST_STEPS, exhausted: false };
  check(schema, input, { root: schema, at: "", depth: 0, problems, budget, seen: newSeen() });
  if (budget.exhausted || budget.steps < 0) return "The schema of the tool is too complex to be checked.";
  if (problems.length === 0) return undefined;
  const more = problems.length - MOST_PROBLEMS;
  return [...problems.slice(0, MOST_PROBLEMS), ...(more > 0 ? [`And ${more} more.`] : [])].join(" ");
}

const check: Check = (schema, value, site) => {
  if (schema === false) problem(site, "is not allowed");
  const { budget } = site;
  budget.steps -= 1;
  if (budget.steps < 0) budget.exhausted = true;
  if (!isRecord(schema) || budget.exhausted) return;
  // A circle of references asserts nothing more.
  if (site.depth > DEEPEST) return;
  const { $ref } = schema;
  const target = findReference(schema, site.root);
  if (target !== undefined) check(target, value, inside(site));
  // In draft 7 nothing next to a reference counts.
  if (typeof $ref === "string" && isDraft7(site.root)) return;
  if (!checkType(schema, value, site)) return;
  checkConstants(schema, value, site);
  checkLimits(schema, value, site);
  checkPattern(schema, value, site);
  checkUnique(schema, value, site);
  checkCombined(schema, value, site);
  // Last: `unevaluated…` needs what everything else has looked at.
  if (isRecord(value)) checkProperties(check, schema, value, site);
  if (Array.isArray(value)) checkItems(check, schema, value, site);
};

function isDraft7({ $schema }: Schema): boolean {
  return typeof $schema === "string" && /draft-0[4-7]/.test($schema);
}

/** `allOf`, `anyOf`, `oneOf`, `not`, `if`. */
function checkCombined(schema: Schema, value: unknown, site: Site): void {
  for (const part of listOf(schema.allOf)) check(part, value, inside(site));
  checkAlternatives(listOf(schema.anyOf), value, site);
  const holding = checkAlternatives(listOf(schema.oneOf), value, site);
  if (holding > 1) problem(site, `must fit exactly one of its forms, but fits ${holding}`);
  if (Object.hasOwn(schema, "not") && tried(schema.not, value, site).problems.length === 0)
    problem(site, `must not be what it is: ${JSON.stringify(schema.not).slice(0, 100)}`);
  if (!Object.hasOwn(schema, "if")) return;
  const condition = tried(schema.if, value, site);
  const holds = condition.problems.length === 0;
  if (holds) addSeen(site.seen, condition.seen);
  const branch = holds ? "then" : "else";
  if (Object.hasOwn(schema, branch)) check(schema[branch], value, inside(site));
}

/** Checks a subschema by itself: its problems are not those of the input yet. */
function tried(schema: unknown, value: unknown, site: Site): Pick<Site, "problems" | "seen"> {
  const own = { ...inside(site), problems: [], seen: newSeen() };
  check(schema, value, own);
  return own;
}

/** Returns how many alternatives hold; none is a problem. */
function checkAlternatives(alternatives: readonly unknown[], value: unknown, site: Site): number {
  if (alternatives.length === 0) return 0;
  const tries = alternatives.map((alternative) => tried(alternative, value, site));
  const holding = tries.filter(({ problems }) => problems.length === 0);
  for (const { seen } of holding) addSeen(site.seen, seen);
  if (holding.length > 0) return holding.length;
  problem(site, `fits none of the ${tries.length} forms it can have`);
  const nearest = tries.reduce((best, one) => (one.problems.length < best.problems.length ? one : best));
  site.problems.push(...nearest.problems.slice(0, 1));
  return 0;
}
