import type { Field } from "../fields/fields.ts";
import type { Subject } from "../fields/subject.ts";
import { searchedText } from "./field-reading.ts";
import { type GramEntry, GramTable, gramAt, LONGEST_GRAM } from "./gram-table.ts";
import type { RequiredText, Requirement } from "./requirements.ts";

/** Which rules can hold for an event, judged by the texts they require. */
export interface RuleIndex {
  /** The numbers of the rules that have to be asked, ascending. No rule that holds is ever missing. */
  candidates(subject: Subject): readonly number[];
}

/** A gram shorter than the longest is found more often; each missing character counts like this many sharers. */
const SHORTNESS = 64;

/**
 * Builds the index of a long-lived process. Each rule is filed under the requirement whose grams the fewest other
 * rules have; a rule that requires nothing is asked every time.
 */
export function buildIndex(requirements: readonly (readonly Requirement[])[]): RuleIndex {
  const always: number[] = [];
  const byField = new Map<string, { readonly field: Field; readonly entries: PlacedEntry[] }>();
  for (const [rule, best] of rarestRequirements(requirements).entries()) {
    if (best === undefined) {
      always.push(rule);
      continue;
    }
    for (const { field, text, at } of best) {
      const there = byField.get(field.key) ?? { field, entries: [] };
      byField.set(field.key, there);
      there.entries.push({ text, rule, at });
    }
  }
  const fields = [...byField.values()].map(({ field, entries }) => ({
    field,
    tables: tablesOf(entries),
    rules: entries.map((entry) => entry.rule),
  }));
  return {
    candidates(subject) {
      const hits: number[] = [];
      for (const { field, tables, rules } of fields) {
        if (field.open?.(subject) === true) for (const rule of rules) hits.push(rule);
        const text = searchedText(field, subject);
        if (text !== "") for (const table of tables) table.find(text, hits);
      }
      if (hits.length === 0) return always;
      return [...new Set([...always, ...hits])].sort((a, b) => a - b);
    },
  };
}

/** Of each rule the requirement whose texts the fewest others have; `undefined` for one that requires nothing. */
export function rarestRequirements(
  requirements: readonly (readonly Requirement[])[],
): readonly (readonly PlacedText[] | undefined)[] {
  const counts = countGrams(requirements);
  return requirements.map((list) => rarest(list, counts));
}

type PlacedEntry = GramEntry & { readonly at: number };
type PlacedText = RequiredText & { readonly at: number };

const gramSize = (text: string) => Math.min(LONGEST_GRAM, text.length);

function tablesOf(entries: readonly PlacedEntry[]): readonly GramTable[] {
  const sizes = [...new Set(entries.map((entry) => gramSize(entry.text)))];
  return sizes.map(
    (size) =>
      new GramTable(
        size,
        entries.filter((entry) => gramSize(entry.text) === size),
      ),
  );
}

function countGrams(requirements: readonly (readonly Requirement[])[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const { text } of requirements.flat(2)) {
    const size = gramSize(text);
    for (let at = 0; at + size <= text.length; at += 1) {
      const gram = gramAt(text, at, size);
      counts.set(gram, (counts.get(gram) ?? 0) + 1);
    }
  }
  return counts;
}

function rarest(
  requirements: readonly Requirement[],
  counts: ReadonlyMap<number, number>,
): readonly PlacedText[] | undefined {
  let best: readonly PlacedText[] | undefined;
  let bestCost = Number.POSITIVE_INFINITY;
  for (const requirement of requirements) {
    let cost = 0;
    const placed = requirement.map((required) => {
      const found = rarestGram(required.text, counts);
      cost += found.cost;
      return { ...required, at: found.at };
    });
    if (cost < bestCost) [best, bestCost] = [placed, cost];
  }
  return best;
}

function rarestGram(
  text: string,
  counts: ReadonlyMap<number, number>,
): { readonly at: number; readonly cost: number } {
  const size = gramSize(text);
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let at = 0; at + size <= text.length; at += 1) {
    const count = counts.get(gramAt(text, at, size)) ?? 0;
    if (count < least) [best, least] = [at, count];
  }
  return { at: best, cost: least + (LONGEST_GRAM - size) * SHORTNESS };
}
