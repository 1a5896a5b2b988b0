import { checkKeys } from "../base/check-options.ts";
import { TenterhookError } from "../base/errors.ts";
import { isRecord } from "../base/json.ts";
import { didYouMean } from "../base/suggest.ts";
import { AGENT_NAMES, type AgentEventName, isAgentName } from "./agent-names.ts";
import { EFFECTS, type Effect } from "./effects.ts";
import type { EventRow, FieldKind } from "./event-row.ts";
import { EVENTS } from "./event-table.ts";
import type { AnyEvent } from "./payloads.ts";

/** The declaration of an event of your own. Its effects and fields are those that its type has. */
export interface EventDeclaration<Allowed extends Effect = Effect, Field extends string = string> {
  /** What hooks may do. A message to the user and ending the run are always allowed. */
  readonly effects: readonly Allowed[];
  readonly summary?: string;
  /** The field that says what the event is about. */
  readonly about?: Field;
  /** Event field → decision field. Default when `rewrite` is allowed: `input` → `input`. */
  readonly rewrites?: Readonly<Record<string, string>>;
  /** Hooks fail closed and rewrites are rechecked. Default: true when `deny` is allowed. */
  readonly gate?: boolean;
  /** Fields a caller must give. */
  readonly requires?: readonly Field[];
  /** What a refusal by a program or a model means where `deny` is not allowed. Default: it is shown to the user. */
  readonly refused_by?: EventRow["refused_by"];
  /** What plain text of a program is. Default: it is shown to the user. */
  readonly text_is?: EventRow["text_is"];
}

/** An event's row with its effects ready to be looked up. */
export interface KnownEvent {
  readonly name: string;
  /** True for an event of a caller or of a single agent, which is in no table. */
  readonly own: boolean;
  readonly row: EventRow;
  readonly allowed: ReadonlySet<Effect>;
  /** What a rewrite replaces: event field and decision field. */
  readonly rewrites: readonly (readonly [field: string, decisionField: string])[];
  /** The object a gate decides about: it must be plain JSON data. */
  readonly judged: string | undefined;
  /** The row's required fields, ready to be walked. */
  readonly required: readonly { readonly field: string; readonly kind: FieldKind }[];
}

type Kind = readonly [must: string, is: (value: unknown) => boolean];

const text: Kind = ["a string", (value) => typeof value === "string"];
const object: Kind = ["an object", isRecord];

/** The fields of a decision that a rewrite fills, and what each must be. */
export const REWRITTEN: Readonly<Record<string, Kind>> = {
  input: object,
  output: ["anything", () => true],
  error: text,
  prompt: text,
  result: text,
  request: object,
  system_prompt: text,
  messages: ["a list", Array.isArray],
};

const OWN_NAME = /^([a-z][a-z0-9-]*):([A-Za-z][\w.-]*)$/;
const DECLARATION_KEYS = [
  "effects",
  "summary",
  "about",
  "rewrites",
  "gate",
  "requires",
  "refused_by",
  "text_is",
];
/** An event that was not declared may be a gate. */
const UNDECLARED: EventRow = {
  summary: "An event of one agent.",
  about: null,
  effects: ["deny"],
  gate: true,
  requires: {},
};

export const TABLE_EVENTS: ReadonlyMap<string, KnownEvent> = new Map(
  Object.entries(EVENTS).map(([name, row]) => [name, known(name, row)]),
);

/** The events one hook set knows: the table's, those it declared, and agents' own. */
export class EventCatalogue {
  private readonly declared = new Map<string, KnownEvent>();

  /** The row of an event of the table, or one declared here. */
  find(name: string): KnownEvent | undefined {
    return TABLE_EVENTS.get(name) ?? this.declared.get(name);
  }

  /**
   * Adds an event, or completes an agent's own.
   *
   * @throws TenterhookError `invalid_declaration`.
   */
  declare(name: string, declaration: EventDeclaration): void {
    const prefix = OWN_NAME.exec(name)?.[1];
    const prefixes: readonly string[] = ["custom", ...AGENT_NAMES];
    if (prefix === undefined || !prefixes.includes(prefix)) {
      throw new TenterhookError(
        "invalid_declaration",
        `${JSON.stringify(name)} can't be declared.${didYouMean(prefix ?? name, prefixes)}`,
      );
    }
    checkKeys(declaration, DECLARATION_KEYS, `The declaration of ${name}`);
    checkDeclaration(name, declaration);
    const rewrites =
      declaration.rewrites ?? (declaration.effects.includes("rewrite") ? { input: "input" } : undefined);
    this.declared.set(
      name,
      known(name, {
        summary: declaration.summary ?? "An event of the caller.",
        about: declaration.about ?? null,
        effects: declaration.effects,
        rewrites,
        refused_by: declaration.refused_by,
        text_is: declaration.text_is,
        gate: declaration.gate ?? declaration.effects.includes("deny"),
        requires: Object.fromEntries(
          (declaration.requires ?? []).map((field) => [field, "anything"] as const),
        ),
      }),
    );
  }

  /** The names a misspelt one may have meant. */
  names(): readonly string[] {
    return [...Object.keys(EVENTS), ...this.declared.keys()];
  }
}

/** @throws TenterhookError `invalid_declaration`. */
function checkDeclaration(name: string, declaration: EventDeclaration): void {
  const { effects, rewrites, requires, gate, about } = declaration;
  const known: readonly string[] = EFFECTS;
  const fields = Object.keys(REWRITTEN);
  const check = (fits: boolean, must: string): void => {
    if (!fits) throw new TenterhookError("invalid_declaration", `${name}: ${must}.`);
  };
  check(
    Array.isArray(effects) && effects.every((effect) => known.includes(effect)),
    `effects must be a list of ${EFFECTS.join(", ")}`,
  );
  check(gate === undefined || typeof gate === "boolean", "gate must be true or false");
  check(about === undefined || typeof about === "string", "about must be the name of a field");
  check(
    requires === undefined ||
      (Array.isArray(requires) && requires.every((field) => typeof field === "string")),
    "requires must be a list of field names",
  );
  check(
    Object.values(rewrites ?? {}).every((field) => fields.includes(field)),
    `rewrites can only fill ${fields.join(", ")}`,
  );
}

/** The row of an agent's event that was not declared: it can be refused. `undefined` for other names. */
export function undeclaredEvent(name: string): KnownEvent | undefined {
  const prefix = OWN_NAME.exec(name)?.[1];
  return prefix === undefined || !isAgentName(prefix) ? undefined : known(name, UNDECLARED);
}

export function unknownEvent(name: unknown, names: Iterable<string>): TenterhookError {
  const shown = typeof name === "string" ? name : String(name);
  const declare = shown.startsWith("custom:") ? " Declare it first with hooks.declare." : "";
  return new TenterhookError(
    "unknown_event",
    `There is no event ${JSON.stringify(shown)}.${declare}${didYouMean(shown, names)}`,
  );
}

/** True when a hook may do this on this very event. */
export function effectAllowed({ row, allowed }: KnownEvent, event: AnyEvent, effect: Effect): boolean {
  if (effect === "native") return true;
  const condition = row.only_when?.[effect];
  return allowed.has(effect) && (condition === undefined || event[condition] === true);
}

/** True for the name of an event of a single agent, among the names that an agent or its adapter gives. */
export function isOwnEvent(name: string): name is AgentEventName {
  return name.includes(":");
}

function known(name: string, row: EventRow): KnownEvent {
  const allowed = new Set<Effect>([...row.effects, "user_message"]);
  if (row.inside_run !== false) allowed.add("abort");
  return {
    name,
    own: name.includes(":"),
    row,
    allowed,
    rewrites: Object.entries(row.rewrites ?? {}),
    judged: row.gate
      ? Object.keys(row.rewrites ?? {}).find((field) => row.requires[field] === "object")
      : undefined,
    required: Object.entries(row.requires).map(([field, kind]) => ({ field, kind })),
  };
}

const OWN_EVENTS = Symbol.for("tenterhook.own-events");

/** Shared by all copies of this file: the program that decides one event is bundled in two parts. */
function ownEvents(): WeakMap<AnyEvent, KnownEvent> {
  const found: unknown = Reflect.get(globalThis, OWN_EVENTS);
  if (found instanceof WeakMap) return found;
  const made = new WeakMap<AnyEvent, KnownEvent>();
  Object.defineProperty(globalThis, OWN_EVENTS, { value: made });
  return made;
}

/**
 * Remembers what an event that is in no table allows: only the set that fires it knows how it was declared, and the
 * reader of a reply to it must know too.
 */
export function rememberOwn(event: AnyEvent, known: KnownEvent): void {
  if (known.own) ownEvents().set(event, known);
}

/** What an event that is in no table allows, while a hook set decides it. */
export function ownEvent(event: AnyEvent): KnownEvent | undefined {
  return ownEvents().get(event);
}
