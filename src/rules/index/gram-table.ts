/** A text to be found, and what is found with it. */
export interface GramEntry {
  /** ASCII only. */
  readonly text: string;
  readonly rule: number;
}

interface PlacedEntry extends GramEntry {
  readonly gram: number;
  /** Where in the text the gram ends. */
  readonly end: number;
}

/** The longest run of characters a table is keyed by; four ASCII characters fit a small integer. */
export const LONGEST_GRAM = 4;
const BITS = 7;
const ASCII = 0x7f;
const SPREAD = 0x9e3779b1;

/**
 * Finds many texts in one pass: each is filed under one run of characters it contains, its gram, and the pass looks up
 * the gram at every position. The cost does not depend on the number of texts as long as few share a gram, so the caller
 * picks rare ones.
 */
export class GramTable {
  private readonly size: number;
  private readonly mask: number;
  private readonly shift: number;
  private readonly used: Uint8Array;
  private readonly slots: (PlacedEntry[] | undefined)[];

  constructor(size: number, entries: readonly (GramEntry & { readonly at: number })[]) {
    this.size = size;
    this.mask = 2 ** (BITS * size) - 1;
    const slotBits = Math.min(20, Math.max(8, Math.ceil(Math.log2(entries.length * 8 + 1))));
    this.shift = 32 - slotBits;
    this.used = new Uint8Array(2 ** slotBits);
    this.slots = new Array(2 ** slotBits);
    for (const { text, rule, at } of entries) {
      const gram = gramAt(text, at, size);
      const slot = this.slotOf(gram);
      this.used[slot] = 1;
      const placed = { text, rule, gram, end: at + size };
      const there = this.slots[slot];
      if (there === undefined) this.slots[slot] = [placed];
      else there.push(placed);
    }
  }

  /** Adds to `hits` the rule of every entry whose text occurs; a rule may be added more than once. */
  find(text: string, hits: number[]): void {
    const { mask, size, shift, used } = this;
    let gram = 0;
    for (let at = 0; at < text.length; at += 1) {
      gram = ((gram << BITS) | (text.charCodeAt(at) & ASCII)) & mask;
      const slot = Math.imul(gram, SPREAD) >>> shift;
      if (used[slot] === 1 && at + 1 >= size) this.check(slot, gram, text, at + 1, hits);
    }
  }

  private slotOf(gram: number): number {
    return Math.imul(gram, SPREAD) >>> this.shift;
  }

  private check(slot: number, gram: number, text: string, end: number, hits: number[]): void {
    for (const entry of this.slots[slot] ?? []) {
      if (entry.gram === gram && text.startsWith(entry.text, end - entry.end)) hits.push(entry.rule);
    }
  }
}

/** The run of `size` characters at a place, as a number. */
export function gramAt(text: string, at: number, size: number): number {
  let gram = 0;
  for (let next = at; next < at + size; next += 1) gram = (gram << BITS) | (text.charCodeAt(next) & ASCII);
  return gram;
}
