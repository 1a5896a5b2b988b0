import type { RolloutItem } from "../../core/contracts/transcript.ts";
import type { Redactor } from "../../node/records/redact.ts";
import { isSecretField, isSecretOption } from "../../node/records/secret-fields.ts";

const LONGEST_REMEMBERED = 40;
const MOST_REMEMBERED = 500;

/**
 * Writes items of a rollout as JSON without their secrets. Two come with every tool call, and most of what they hold came
 * before: of each text and each list is remembered how it is written.
 */
export class ItemJson {
  private readonly redactor: Redactor;
  /** Names of fields with their colon; empty for one that says something about its value. */
  private readonly fields = new Map<string, string>();
  private readonly texts = new Map<string, string>();
  /** Lists that nobody can change any more. */
  private lists = new WeakMap<readonly unknown[], string>();

  constructor(redactor: Redactor) {
    this.redactor = redactor;
  }

  /**
   * What `JSON.stringify` makes of the item when the redactor is done with it. `undefined` for one that holds more than
   * texts, numbers, flags and lists of texts, or has to be looked at as a whole.
   */
  write(item: RolloutItem): string | undefined {
    if ("toJSON" in item) return undefined;
    const keys = Object.keys(item);
    let json = "{";
    for (let at = 0; at < keys.length; at += 1) {
      const key = keys[at] ?? "";
      const field = this.field(key);
      if (field === "") return undefined;
      const value: unknown = Reflect.get(item, key);
      if (value === undefined) continue;
      const text = this.value(value);
      if (text === undefined) return undefined;
      json += json === "{" ? field + text : `,${field}${text}`;
    }
    return `${json}}`;
  }

  /** Forgets what it remembers: there are new secrets. */
  forget(): void {
    this.fields.clear();
    this.texts.clear();
    this.lists = new WeakMap();
  }

  private field(name: string): string {
    const before = this.fields.get(name);
    if (before !== undefined) return before;
    const plain = !isSecretField(name) && this.redactor.text(name) === name;
    return remember(this.fields, name, plain ? `${JSON.stringify(name)}:` : "");
  }

  private value(value: unknown): string | undefined {
    if (typeof value === "string") return this.text(value);
    if (Array.isArray(value)) return this.list(value);
    if (value === null || typeof value === "boolean" || typeof value === "number")
      return JSON.stringify(value);
    return undefined;
  }

  private text(text: string): string {
    const before = this.texts.get(text);
    if (before !== undefined) return before;
    const { redactor } = this;
    if (redactor.isCounted(text)) return `"${text}"`;
    return remember(this.texts, text, JSON.stringify(redactor.text(text)));
  }

  private list(list: readonly unknown[]): string | undefined {
    const before = this.lists.get(list);
    if (before !== undefined) return before;
    if ("toJSON" in list) return undefined;
    const texts: string[] = [];
    for (const item of list) {
      if (typeof item !== "string" || isSecretOption(item)) return undefined;
      texts.push(this.text(item));
    }
    const json = `[${texts.join(",")}]`;
    if (Object.isFrozen(list)) this.lists.set(list, json);
    return json;
  }
}

function remember(known: Map<string, string>, text: string, json: string): string {
  if (text.length > LONGEST_REMEMBERED) return json;
  if (known.size >= MOST_REMEMBERED) known.clear();
  known.set(text, json);
  return json;
}
