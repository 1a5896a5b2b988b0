/**
 * Every error the package throws: its code, what it means and what to do. The reference page of errors is made from
 * this table.
 */
export const ERRORS = {
  unknown_event: {
    summary: "An event name that is in no table and was not declared.",
    hint: 'Use a name of EVENTS, or declare your own with hooks.declare("custom:name", { effects }).',
  },
  invalid_event: {
    summary: "An event that lacks a required field, or has one of the wrong type.",
    hint: "Give hook_event_name, session_id, cwd and what the event is about (tool_name and tool_input for tools).",
  },
  invalid_declaration: {
    summary: "hooks.declare was called with a name or effects it can't take.",
    hint: 'Names look like "custom:deploy" or "claude:ConfigChange"; effects are listed in EFFECTS.',
  },
  unknown_option: {
    summary: "An option, limit or matcher field nobody reads.",
    hint: "Correct the spelling; the reference lists every key.",
  },
  invalid_option: {
    summary: "An option, limit or matcher field with a value it can't have.",
    hint: "See the reference page of that key.",
  },
  bad_pattern: {
    summary: "A glob or regular expression that can't be compiled.",
    hint: "Close every bracket; lookaround and back-references are not supported.",
  },
  bad_rule: {
    summary:
      "An inline rule or condition that can't be read: a misspelt operator, a missing value, an unknown key.",
    hint: 'A rule reads like: args.command runs "rm -r" and not path glob "build/**" -> deny("Why").',
  },
  bad_example: {
    summary: "An example of an inline hook that its rules do not decide the way the example says.",
    hint: "Correct the rule, or the example: match means some rule decides, not_match that none does.",
  },
  duplicate_hook: {
    summary: "Two hooks of one set have the same name.",
    hint: "Give each hook a name of its own, or remove the first one before adding it again.",
  },
  unknown_hook: {
    summary: "A name given to enable or disable that no hook has.",
    hint: "hooks.list() shows the names.",
  },
  include_cycle: {
    summary: "A hook set includes itself, directly or through another one.",
    hint: "Remove the include that closes the circle.",
  },
  unsupported_matcher: {
    summary: "A matcher field that needs a part this hook set was made without.",
    hint: 'Create the hook set with createHooks from "tenterhook", which brings every part.',
  },
  invalid_outcome: {
    summary: "An outcome made with arguments it can't have, such as keepGoing() without a reason.",
    hint: "Look at the doc comment of the function that makes it.",
  },
  invalid_definition: {
    summary: "A hook definition without a name, a known type or events.",
    hint: 'A definition reads like: { name, type: "inline", matcher: { events: ["PreToolUse"] }, rules }.',
  },
  effect_not_allowed: {
    summary: "A hook that wants to do what none of its events allows, such as a rewrite on Notification.",
    hint: "The reference page of each event says what hooks can do there.",
  },
  unknown_pack: {
    summary: "A pack of rules that does not ship with the package.",
    hint: "Packs that ship: safe-shell, protect-secrets, git-safety, no-network.",
  },
  config_syntax: {
    summary: "A configuration file that is not valid YAML, JSON or TOML, or gives a key twice.",
    hint: "Correct the file at the line and column the message names.",
  },
  config_invalid: {
    summary: "A configuration with keys, values or hooks that can't be used; the message lists every one.",
    hint: "Correct each place; the reference lists every key, and editors know the schema that ships.",
  },
  config_unreadable: {
    summary: "A configuration file that is there but can't be read: no permission, a folder, a broken link.",
    hint: "Make the file readable for this user, or remove it.",
  },
  settings_unreadable: {
    summary: "A settings file of another program that can't be parsed, or has something else where hooks belong.",
    hint: "Correct the file at the line the message names; it was left as it is.",
  },
  tool_denied: {
    summary:
      "toolCall did not run the tool: a hook denied it, ended the run, or asked and nobody granted it.",
    hint: "The message is the hook's reason; error.decision has the whole decision.",
  },
} as const satisfies Record<string, { summary: string; hint: string }>;

/** The code of an error: a key of {@link ERRORS}. */
export type ErrorCode = keyof typeof ERRORS;

const BRAND = Symbol.for("tenterhook.error");

/** What an error may say beside its message. */
export interface TenterhookErrorOptions {
  /** What to do about it; the table's hint when not given. */
  readonly hint?: string;
  readonly cause?: unknown;
}

/**
 * The one error class of the package. `code` is stable and listed in {@link ERRORS}; the message names the thing and
 * the place, `hint` the way out.
 */
export class TenterhookError extends Error {
  readonly code: ErrorCode;
  readonly hint: string;

  constructor(code: ErrorCode, message: string, options: TenterhookErrorOptions = {}) {
    super(message, "cause" in options ? { cause: options.cause } : undefined);
    this.name = "TenterhookError";
    this.code = code;
    this.hint = options.hint ?? ERRORS[code].hint;
    Object.defineProperty(this, BRAND, { value: true });
  }
}

/** True for a {@link TenterhookError}, also one made by another copy of the package. */
export function isTenterhookError(value: unknown): value is TenterhookError {
  return typeof value === "object" && value !== null && BRAND in value;
}

/** The same error, saying first where it happened. */
export function atPlace(error: TenterhookError, place: string): TenterhookError {
  return new TenterhookError(error.code, `${place}: ${error.message}`, { hint: error.hint, cause: error });
}
