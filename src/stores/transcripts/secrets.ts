import type { Clock } from "../../core/base/clock.ts";
import { isRecord } from "../../core/base/json.ts";
import type {
  RolloutItem,
  StoredMessage,
  TranscriptChanges,
  TypedInput,
} from "../../core/contracts/transcript.ts";
import { createRedactor, type Redactor } from "../../node/records/redact.ts";
import { isRolloutItem, isStoredMessage, toJson } from "./encode.ts";
import { ItemJson } from "./item-json.ts";

/**
 * Where secrets are taken out before anything is written. `records`: from rollout, input history, titles and errors, while
 * messages stay as the model saw them, so that a resumed agent goes on with the same conversation. `everything`: from
 * messages too; a resumed model then reads `[redacted]`, and what a provider has signed may be refused. `nothing`.
 */
export type RedactScope = "records" | "everything" | "nothing";

/** Takes secrets out of what a store is given. */
export interface Secrets {
  message(message: StoredMessage): StoredMessage;
  /**
   * The item as JSON.
   *
   * @throws TenterhookError `invalid_record` when it is no JSON data.
   */
  itemJson(item: RolloutItem): string;
  changes(changes: TranscriptChanges): TranscriptChanges;
  input(input: TypedInput): TypedInput;
}

/** Makes what takes secrets out, for a scope. */
export function secretsOf(
  scope: RedactScope,
  environment: Readonly<Record<string, string | undefined>> | undefined,
  clock: Pick<Clock, "now">,
): Secrets {
  return scope === "nothing" ? KEPT : new RedactedSecrets(scope, createRedactor(environment), clock);
}

class RedactedSecrets implements Secrets {
  private readonly everything: boolean;
  private readonly redactor: Redactor;
  private readonly json: ItemJson;
  private readonly clock: Pick<Clock, "now">;

  constructor(scope: RedactScope, redactor: Redactor, clock: Pick<Clock, "now">) {
    this.everything = scope === "everything";
    this.redactor = redactor;
    this.json = new ItemJson(redactor);
    this.clock = clock;
  }

  message(message: StoredMessage): StoredMessage {
    if (!this.everything) return message;
    this.lookAgain();
    return redactedMessage(message, this.redactor);
  }

  itemJson(item: RolloutItem): string {
    this.lookAgain();
    const flat = this.json.write(item);
    if (flat !== undefined) return flat;
    const clean = this.redactor.value(item);
    return writtenItem(isRolloutItem(clean) ? clean : { type: item.type });
  }

  changes(changes: TranscriptChanges): TranscriptChanges {
    const { everything, redactor } = this;
    this.lookAgain();
    const { title, unheard, error, waiting_for } = changes;
    return {
      ...changes,
      ...(title === undefined ? {} : { title: redactor.text(title) }),
      ...(unheard === undefined || !everything
        ? {}
        : { unheard: withIdentities(unheard, redactor.value(unheard)) }),
      ...(error === undefined ? {} : { error: { ...error, message: redactor.text(error.message) } }),
      ...(waiting_for === undefined || !everything
        ? {}
        : { waiting_for: withIdentities(waiting_for, redactor.value(waiting_for)) }),
    };
  }

  input(input: TypedInput): TypedInput {
    this.lookAgain();
    return { ...input, text: this.redactor.text(input.text) };
  }

  private lookAgain(): void {
    if (this.redactor.lookAgain(this.clock.now())) this.json.forget();
  }
}

const KEPT: Secrets = {
  message: (message) => message,
  itemJson: writtenItem,
  changes: (changes) => changes,
  input: (input) => input,
};

function writtenItem(item: RolloutItem): string {
  return toJson(item, `Item "${item.type}"`);
}

/** What says which message, turn and call it is stays: without it nothing could be found or paired again. */
const IDENTITIES: readonly string[] = ["id", "turn_id", "tool_use_id", "not_started"];

/** What a model or a human wrote: a field in it that is called like an identity is none. */
const WRITTEN: readonly string[] = ["tool_input", "provider_metadata", "questions"];

function redactedMessage(message: StoredMessage, redactor: Redactor): StoredMessage {
  const clean = withIdentities(message, redactor.value(message));
  return isStoredMessage(clean) ? clean : { id: message.id };
}

function withIdentities(before: unknown, after: unknown): unknown {
  if (Array.isArray(before) && Array.isArray(after))
    return after.map((item, at) => withIdentities(before[at], item));
  if (!isRecord(before) || !isRecord(after)) return after;
  return Object.fromEntries(
    Object.entries(after).map(([key, value]) => {
      if (IDENTITIES.includes(key)) return [key, before[key]];
      return [key, WRITTEN.includes(key) ? value : withIdentities(before[key], value)];
    }),
  );
}
