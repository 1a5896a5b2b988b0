import type { JudgedEvent } from "../fields/judged-event.ts";
import { missingForShell, shellTextIn } from "../fields/shell-analysis.ts";
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

/** The texts that rules require in one field. */
interface IndexedField {
  readonly reading: FieldReading;
  readonly entries: readonly Entry[];
}

/** A required text, where the run of characters ends that it is filed under (its gram), and the rule that requires it. */
type Entry = readonly [text: string, end: number, rule: number];

/** Entries by their grams as numbers. Grams of different lengths may share a number: the text decides. */
interface GramTable {
  readonly sizes: Set<number>;
  readonly grams: Map<number, Entry[]>;
}

/** Four ASCII characters fit a small integer. */
const LONGEST_GRAM = 4;
const BITS = 7;
const ASCII = 0x7f;

/** A text is found less often the longer it is; beyond this length that hardly matters. */
const LONG_ENOUGH = 8;
/** A character that is missing to that length counts like this many texts under the same gram. */
const SHORTNESS = 4;
/** Most calls are of the same few tools, so the name of one says little. */
const TOOL_COST = 1_000;

/**
 * Builds the index. Of each rule one requirement is filed: the one whose texts are long and have grams that few texts
 * before them have. So few texts are compared at any place of an event, however many rules there are.
 */
export function buildIndex(requirements: readonly (readonly Requirement[])[]): RuleIndex {
  const always: number[] = [];
  const fields = new Map<string, { reading: FieldReading; entries: Entry[]; table: GramTable }>();
  for (const [rule, choices] of requirements.entries()) {
    const best = cheapest(choices, (key) => fields.get(key)?.table);
    if (best === undefined) always.push(rule);
    for (const { required, end } of best ?? []) {
      const { field, reading, text } = required;
      const there = fields.get(field.key) ?? { reading, entries: [], table: newTable() };
      fields.set(field.key, there);
      const entry: Entry = [text, end, rule];
      there.entries.push(entry);
      file(entry, there.table);
    }
  }
  return { always, fields: Array.from(fields.values(), ({ reading, entries }) => ({ reading, entries })) };
}

function newTable(): GramTable {
  return { sizes: new Set(), grams: new Map() };
}

function file(entry: Entry, { sizes, grams }: GramTable): void {
  const [text, end] = entry;
  const size = gramSize(text);
  const gram = gramAt(text, end - size, size);
  sizes.add(size);
  const there = grams.get(gram);
  if (there === undefined) grams.set(gram, [entry]);
  else there.push(entry);
}

const tables = new WeakMap<IndexedField, GramTable | "wanted">();

/** The table of a field, made when it is asked for again: a process that decides one event is faster without. */
function tableOf(field: IndexedField): GramTable | undefined {
  const known = tables.get(field);
  if (known === undefined) tables.set(field, "wanted");
  if (known !== "wanted") return known;
  const table = newTable();
  for (const entry of field.entries) file(entry, table);
  tables.set(field, table);
  return table;
}

/**
 * The numbers of the rules that have to be asked about an event, ascending; no rule that holds is ever missing. A
 * promise when the shell analysis has to be loaded first: ask again once it has resolved.
 */
export function candidateRules(
  { always, fields }: RuleIndex,
  subject: JudgedEvent,
): readonly number[] | Promise<void> {
  for (const { reading } of fields) {
    const missing = missingFor(reading, subject);
    if (missing !== undefined) return missing;
  }
  const found = new Set<number>();
  for (const indexed of fields) {
    const field = readingField(indexed.reading);
    if (field.open?.(subject) === true) for (const [, , rule] of indexed.entries) found.add(rule);
    else findTexts(searchedText(field, subject), indexed, found);
  }
  return found.size === 0 ? always : [...always, ...found].sort((a, b) => a - b);
}

/** Adds to `found` the rules of the texts that occur. */
function findTexts(text: string, indexed: IndexedField, found: Set<number>): void {
  if (text === "") return;
  const table = tableOf(indexed);
  if (table === undefined) {
    for (const [wanted, , rule] of indexed.entries) if (text.includes(wanted)) found.add(rule);
    return;
  }
  const { sizes, grams } = table;
  for (const size of sizes) {
    const mask = 2 ** (BITS * size) - 1;
    let gram = 0;
    for (let end = 1; end <= text.length; end += 1) {
      gram = ((gram << BITS) | (text.charCodeAt(end - 1) & ASCII)) & mask;
      const entries = grams.get(gram);
      if (entries === undefined || end < size) continue;
      for (const [wanted, ends, rule] of entries) if (text.startsWith(wanted, end - ends)) found.add(rule);
    }
  }
}

/** The loading of the shell analysis, when a reading depends on it. */
function missingFor({ field, as }: FieldReading, subject: JudgedEvent): Promise<void> | undefined {
  return as === "itself" || as === "path" ? undefined : missingForShell([shellTextIn(field, subject)]);
}

interface PlacedText {
  readonly required: RequiredText;
  /** Where its gram ends. */
  readonly end: number;
  readonly cost: number;
}

function cheapest(
  choices: readonly Requirement[],
  tableOf: (key: string) => GramTable | undefined,
): readonly PlacedText[] | undefined {
  let best: readonly PlacedText[] | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const requirement of choices) {
    const placed = requirement.map((required) => placedText(required, tableOf(required.field.key)));
    const cost = placed.reduce((sum, text) => sum + text.cost, 0);
    if (cost < least) [best, least] = [placed, cost];
  }
  return best;
}

/** The text with the gram that fewest texts have so far. */
function placedText(required: RequiredText, table: GramTable | undefined): PlacedText {
  const { text, field } = required;
  const size = gramSize(text);
  const common = field.key === "tool" ? TOOL_COST : Math.max(0, LONG_ENOUGH - text.length) * SHORTNESS;
  let best = size;
  let least = Number.POSITIVE_INFINITY;
  for (let end = size; end <= text.length && least > 0; end += 1) {
    const sharers = table?.grams.get(gramAt(text, end - size, size))?.length ?? 0;
    if (sharers < least) [best, least] = [end, sharers];
  }
  return { required, end: best, cost: least + common };
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
