import {
  type DefaultKeys,
  defaultField,
  type Fields,
  field,
  type ObjectOf,
  schemas,
} from "../base/schemas.ts";
import { FAILURE_KINDS } from "../events/effects.ts";
import type { Matcher } from "./matcher.ts";

/** Where hooks come from, in the order they are asked when their priority is the same. */
export const SCOPES = ["managed", "user", "project", "local", "code"] as const;

/** The priority of a hook that names none. Lower is asked first. */
export const USUAL_PRIORITY = 100;

const mode = schemas.word("closed", "open", "ask");

function flag(standard: boolean, docs: string) {
  return defaultField(schemas.boolean, standard, docs);
}

/** The one table of hook settings: types, checks, the schema of files and the reference are derived from it. */
export const HOOK_SETTINGS = {
  name: field(schemas.text, "Unique in its set. Made from the event when not given."),
  description: field(schemas.text, "What the hook is for."),
  priority: defaultField(
    { ...schemas.number, finite: true },
    USUAL_PRIORITY,
    `Hooks with a lower number run first. Default ${USUAL_PRIORITY}.`,
  ),
  timeout: field(
    schemas.seconds,
    "Seconds. Default: the timeout of the set, 30. A synchronous function can't be interrupted.",
  ),
  on_failure: field(
    schemas.either(
      '"closed", "open", "ask", or an object with one of them for each kind of failure',
      mode,
      schemas.mapOf(mode, ["default", ...FAILURE_KINDS]),
    ),
    "What a failure of the hook means. Default: closed on gates, open elsewhere.",
  ),
  observe: flag(false, "The hook sees the event but never decides; its failures are always open."),
  parallel: flag(false, "Runs together with the parallel hooks next to it, on the same input."),
  async: flag(false, "Runs in the background; can add context later but never decides."),
  once: flag(false, "Runs on the first matching event of each kind in a session only."),
  recheck: flag(
    true,
    "False: not asked again about an input that other hooks rewrote; you vouch for the hook.",
  ),
  mode: field(
    schemas.word("enforce", "shadow"),
    "shadow: the hook is asked last, what it would have done is recorded, and nothing changes. Default enforce.",
  ),
  locks: field(
    schemas.text,
    "On PreToolUse: while a matching call runs, those of other agents wait, at most for the timeout, and are refused then. `file`: those that name the same file; other texts name one lock. Only our agent and `hooks.toolCall` take locks, and not for background work.",
  ),
  short_circuit: flag(false, "When it denies, no later hook runs; they are recorded as skipped."),
  enabled: flag(true, "Default true."),
  origin: field(
    schemas.object({
      scope: field(schemas.word(...SCOPES), "The scope."),
      file: field(schemas.string, "The file."),
      line: field(schemas.number, "The line in the file."),
      managed_by: field(schemas.string, "Who manages the hook for this machine. Its refusals end with it."),
    }),
    "Where the hook comes from, when not from code.",
  ),
} as const satisfies Fields;

/** How a hook takes part, apart from what it does. The reference page of hook options explains each key. */
export type HookSettings = ObjectOf<typeof HOOK_SETTINGS>;

/** Where a hook comes from. */
export type Origin = NonNullable<HookSettings["origin"]>;

/** What failing means: one mode for every kind, or a mode by kind with `default` for the others. */
export type FailurePolicy = NonNullable<HookSettings["on_failure"]>;

/** Settings, and matcher fields either next to them or under `matcher`, whose tools are names and patterns. */
export interface NamedToolOptions extends HookSettings, Matcher {
  readonly matcher?: Matcher;
}

type AlwaysSet = "name" | "timeout" | DefaultKeys<typeof HOOK_SETTINGS>;

/** A hook as `hooks.list()` shows it. Without `on_failure`, it fails closed on gates and open elsewhere. */
export interface Hook
  extends Required<Pick<HookSettings, AlwaysSet>>,
    Omit<HookSettings, AlwaysSet | "origin"> {
  readonly events: readonly string[];
  readonly matcher: Matcher;
  /** The handler's type. */
  readonly handler: string;
  readonly origin: Origin & { readonly scope: (typeof SCOPES)[number] };
  /** Why it will fail for certain. */
  readonly problem?: string;
}
