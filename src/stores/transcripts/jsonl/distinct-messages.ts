import type { StoredMessage } from "../../../core/transcript.ts";

/**
 * Messages without those whose id came before. Ids that count up, as those of the runtime do, can't come twice; for them no
 * set is kept, which would take as long as reading the messages.
 */
export class DistinctMessages {
  private messages: StoredMessage[] = [];
  private highest = "";
  private ids: Set<string> | undefined;

  /** True when it was not there yet. */
  add(message: StoredMessage): boolean {
    const { id } = message;
    if (this.ids === undefined) {
      if (isBelow(this.highest, id)) {
        this.highest = id;
        this.messages.push(message);
        return true;
      }
      this.ids = new Set(this.messages.map((earlier) => earlier.id));
    }
    if (this.ids.has(id)) return false;
    this.ids.add(id);
    this.messages.push(message);
    return true;
  }

  /** In the order they were added. */
  all(): readonly StoredMessage[] {
    return this.messages;
  }

  /** Forgets all. */
  clear(): void {
    this.messages = [];
    this.highest = "";
    this.ids = undefined;
  }
}

/** `m-9` is below `m-10`. */
function isBelow(a: string, b: string): boolean {
  return a.length === b.length ? a < b : a.length < b.length;
}
