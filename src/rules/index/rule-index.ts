import { compileField } from "../fields/fields.ts";
import { missingForShell } from "../fields/shell-analysis.ts";
import { shellJoined, shellTextOf } from "../fields/shell-text.ts";
import type { Subject } from "../fields/subject.ts";
import { type FieldReading, readingField, searchedText } from "./field-reading.ts";
import type { RequiredText, Requirement } from "./requirements.ts";

/**
 * Which rules of a hook can hold for an event, judged by the texts they require. Plain data, so that a cache can hold
 * it: every process asks the same index.
 */
export interface RuleIndex {
  /** The numbers of the rules that require no text: they are asked about every event. */
  readonly always: readonly number[];
  readonly fields: readonly IndexedField[];
}

/** The texts that rules require in one field. Each is filed under a run of characters in it, its gram. */
interface IndexedField {
  readonly reading: FieldReading;
  /** The lengths of the grams. */
  readonly sizes: readonly number[];
  /** By the gram as a number. Grams may share a number, so the text decides. */
  readonly grams: Readonly<Record<number, readonly Entry[]>>;
}

/** A required text, where its gram ends in it, and the rule that requires it. */
type Entry = readonly [text: string, end: number, rule: number];

interface FieldBeingBuilt {
  readonly reading: FieldReading;
  readonly sizes: Set<number>;
  readonly grams: Record<number, Entry[]>;
}

/** Four ASCII characters fit a small integer. */
const LONGEST_GRAM = 4;
const BITS = 7;
const ASCII = 0x7f;

/** A text is found less often the longer it is; beyond this length that hardly matters. */
const LONG_ENOUGH = 8;
/** A character that is missing to that length counts like this many texts under the same gram. */
const SHORTNESS = 64;

/**
 * Builds the index. Of each rule one requirement is filed: the one whose texts are long and have grams that few texts
 * before them have. So few texts are compared at any place of an event, however many rules there are.
 */
export function buildIndex(requirements: readonly (readonly Requirement[])[]): RuleIndex {
  const always: number[] = [];
  const fields = new Map<string, FieldBeingBuilt>();
  for (const [rule, choices] of requirements.entries()) {
    const best = cheapest(choices, fields);
    if (best === undefined) always.push(rule);
    for (const { field, reading, text, end } of best ?? []) {
      const there = fields.get(field.key) ?? { reading, sizes: new Set(), grams: {} };
      fields.set(field.key, there);
      const size = gramSize(text);
      const gram = gramAt(text, end - size, size);
      there.sizes.add(size);
      there.grams[gram] = [...(there.grams[gram] ?? []), [text, end, rule]];
    }
  }
  return {
    always,
    fields: Array.from(fields.values(), (field) => ({ ...field, sizes: [...field.sizes] })),
  };
}

/**
 * The numbers of the rules that have to be asked about an event, ascending; no rule that holds is ever missing. A
 * promise when the shell analysis has to be loaded first: ask again once it has resolved.
 */
export function candidateRules(
  { always, fields }: RuleIndex,
  subject: Subject,
): readonly number[] | Promise<void> {
  for (const { reading } of fields) {
    const missing = missingFor(reading, subject);
    if (missing !== undefined) return missing;
  }
  const found = new Set<number>();
  for (const { reading, sizes, grams } of fields) {
    const field = readingField(reading);
    if (field.open?.(subject) === true) {
      for (const [, , rule] of Object.values(grams).flat()) found.add(rule);
      continue;
    }
    const text = searchedText(field, subject);
    for (const size of sizes) findTexts(text, size, grams, found);
  }
  return found.size === 0 ? always : [...always, ...found].sort((a, b) => a - b);
}

/** Adds to `found` the rules of the texts that occur. */
function findTexts(text: string, size: number, grams: IndexedField["grams"], found: Set<number>): void {
  const mask = 2 ** (BITS * size) - 1;
  let gram = 0;
  for (let end = 1; end <= text.length; end += 1) {
    gram = ((gram << BITS) | (text.charCodeAt(end - 1) & ASCII)) & mask;
    const entries = grams[gram];
    if (entries === undefined || end < size) continue;
    for (const [wanted, ends, rule] of entries) if (text.startsWith(wanted, end - ends)) found.add(rule);
  }
}

/** The loading of the shell analysis, when a reading depends on it. */
function missingFor({ field, as, alone }: FieldReading, subject: Subject): Promise<void> | undefined {
  if ((as === "itself" || as === "path") && alone !== true) return undefined;
  return missingForShell([
    ...(alone === true || field === "call" ? [shellTextOf(subject)] : []),
    ...(field === "call" ? [] : [shellJoined(compileField(field).value(subject))]),
  ]);
}

interface PlacedText extends RequiredText {
  /** Where its gram ends. */
  readonly end: number;
}

function cheapest(
  choices: readonly Requirement[],
  fields: ReadonlyMap<string, FieldBeingBuilt>,
): readonly PlacedText[] | undefined {
  let best: readonly PlacedText[] | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const requirement of choices) {
    const placed = requirement.map((required) => placedText(required, fields.get(required.field.key)));
    const cost = placed.reduce((sum, text) => sum + text.cost, 0);
    if (cost < least) [best, least] = [placed, cost];
  }
  return best;
}

/** The text with the gram that fewest texts have so far. */
function placedText(required: RequiredText, field: FieldBeingBuilt | undefined) {
  const { text } = required;
  const size = gramSize(text);
  let best = size;
  let least = Number.POSITIVE_INFINITY;
  for (let end = size; end <= text.length && least > 0; end += 1) {
    const sharers = field?.grams[gramAt(text, end - size, size)]?.length ?? 0;
    if (sharers < least) [best, least] = [end, sharers];
  }
  return { ...required, end: best, cost: least + Math.max(0, LONG_ENOUGH - text.length) * SHORTNESS };
}

function gramSize(text: string): number {
  return Math.min(LONGEST_GRAM, text.length);
}

/** The run of `size` characters at a place, as a number. */
function gramAt(text: string, at: number, size: number): number {
  let gram = 0;
  for (let next = at; next < at + size; next += 1) gram = (gram << BITS) | (text.charCodeAt(next) & ASCII);
  return gram;
}
