import { errorMessage, ignore } from "../base/error-text.ts";
import { frozenJson, isRecord, markFrozen, NotJsonError, sameJson } from "../base/json.ts";
import type { FailureKind } from "../events/effects.ts";
import type { KnownEvent } from "../events/known-events.ts";
import { REWRITTEN } from "../events/known-events.ts";
import type { Outcome } from "../events/outcomes.ts";
import type { AnyEvent } from "../events/payloads.ts";

/** A rewrite carried out: the value before and after, both frozen. */
export interface Rewritten {
  readonly before: unknown;
  readonly after: unknown;
}

/** Why a rewrite can't be carried out. */
export interface BadRewrite {
  readonly kind: FailureKind;
  readonly problem: string;
}

/**
 * What a rewrite replaces: the one field of the row, or an object of its fields where it has several (messages and
 * system prompt).
 */
export function subjectOf(event: AnyEvent, { rewrites }: KnownEvent): unknown {
  const only = rewrites[0];
  if (only === undefined) return undefined;
  if (rewrites.length === 1) return event[only[0]];
  const subject: Record<string, unknown> = {};
  for (const [field] of rewrites) if (event[field] !== undefined) subject[field] = event[field];
  return markFrozen(Object.freeze(subject));
}

/** The event as later hooks see it: with the new value in place of the old one. */
export function withSubject(event: AnyEvent, { rewrites }: KnownEvent, subject: unknown): AnyEvent {
  const only = rewrites[0];
  if (only === undefined) return event;
  const change = rewrites.length === 1 ? { [only[0]]: subject } : isRecord(subject) ? subject : {};
  return Object.freeze({ ...event, ...change });
}

/**
 * Carries out the rewrites of one hook, in order, or returns the problem with one. `null` restores the result of a tool.
 *
 * @param original the event before any rewrite.
 */
export function resolveRewrite(
  outcomes: readonly Outcome[],
  event: AnyEvent,
  known: KnownEvent,
  original: AnyEvent,
): Rewritten | BadRewrite {
  const before = subjectOf(event, known);
  let after = before;
  for (const outcome of outcomes) {
    if (outcome.type !== "rewrite") continue;
    let next = outcome.next;
    try {
      if (typeof next === "function") next = next(after);
      ignore(next);
      next = frozenJson(next);
    } catch (error) {
      if (error instanceof NotJsonError)
        return { kind: "bad_output", problem: `its rewrite can't be used: ${error.message}` };
      return { kind: "error", problem: `its rewrite function threw: ${errorMessage(error)}` };
    }
    if (next === null && known.rewrites[0]?.[1] === "output") next = subjectOf(original, known);
    const problem = misfit(next, known);
    if (problem !== undefined) return { kind: "bad_output", problem };
    after =
      known.rewrites.length > 1 && isRecord(after) && isRecord(next)
        ? markFrozen(Object.freeze({ ...after, ...next }))
        : next;
  }
  return { before, after };
}

const WHOLE = "the whole value";

/** Rewrites of hooks that ran together, put one by one into the input they shared, field by field. */
export class ParallelRewrites {
  private readonly shared: unknown;
  private readonly changes = new Map<string, unknown>();
  private whole: { readonly value: unknown } | undefined;

  constructor(shared: unknown) {
    this.shared = shared;
  }

  /** Adds a hook's rewrite. Returns the field that an earlier hook changed differently; then nothing is added. */
  add(after: unknown): string | undefined {
    if (!isRecord(this.shared) || !isRecord(after)) {
      if (sameJson(after, this.shared)) return undefined;
      if (this.changes.size > 0 || (this.whole !== undefined && !sameJson(this.whole.value, after)))
        return WHOLE;
      this.whole = { value: after };
      return undefined;
    }
    const changes = changedFields(this.shared, after);
    if (this.whole !== undefined && changes.size > 0) return WHOLE;
    for (const [field, value] of changes) {
      if (this.changes.has(field) && !sameJson(this.changes.get(field), value)) return field;
    }
    for (const [field, value] of changes) this.changes.set(field, value);
    return undefined;
  }

  /** The shared input with every change that was added. */
  result(): unknown {
    if (this.whole !== undefined) return this.whole.value;
    if (this.changes.size === 0 || !isRecord(this.shared)) return this.shared;
    const merged = Object.entries({ ...this.shared, ...Object.fromEntries(this.changes) });
    return frozenJson(Object.fromEntries(merged.filter(([, value]) => value !== undefined)));
  }
}

/** Top-level fields that differ; `undefined` for one that was removed. */
function changedFields(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): Map<string, unknown> {
  const changes = new Map<string, unknown>();
  for (const field of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (!sameJson(before[field], after[field])) changes.set(field, after[field]);
  }
  return changes;
}

/** Says what is wrong with a new value: each field of a decision holds one kind, and only known parts can be given. */
function misfit(next: unknown, { rewrites }: KnownEvent): string | undefined {
  if (next === undefined) return "its rewrite has no new value";
  const [only] = rewrites;
  if (rewrites.length === 1 && only !== undefined) return wrongKind(only[1], next, "its rewrite");
  const fields = rewrites.map(([field]) => field);
  if (!isRecord(next)) return `its rewrite must be an object with ${fields.join(" or ")}`;
  const unknown = Object.keys(next).find((field) => !fields.includes(field));
  if (unknown !== undefined) {
    return `its rewrite has the unknown field ${JSON.stringify(unknown)}; it may have ${fields.join(" and ")}`;
  }
  for (const [field, decisionField] of rewrites) {
    const wrong =
      field in next ? wrongKind(decisionField, next[field], `${field} of its rewrite`) : undefined;
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

function wrongKind(decisionField: string, value: unknown, what: string): string | undefined {
  const [must, is] = REWRITTEN[decisionField] ?? REWRITTEN.output ?? ["anything", () => true];
  return is(value) ? undefined : `${what} must be ${must}`;
}
