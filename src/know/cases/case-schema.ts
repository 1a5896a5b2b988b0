import { errorMessage } from "../../core/base/error-text.ts";
import { field, neededField, schemas, type ValueOf } from "../../core/base/schemas.ts";
import { linearRegex } from "../../node/regex.ts";

const TEXT = "a text, a /regular expression/, true for any text, or false for none";
const text = schemas.either(TEXT, schemas.text, schemas.boolean);

/** What a case expects; what is not named is not compared. */
const EXPECT = schemas.object({
  action: field(schemas.word("continue", "allow", "ask", "deny"), "The decision."),
  reason: field(text, "The reason that the agent and the person read."),
  hook: field(schemas.text, "The hook that decides: its name."),
  rule: field(text, "The rule that decides: its name in a pack, or its text."),
  input: field(
    schemas.anything,
    "The tool input after all rewrites; keys that are not named are not compared.",
  ),
  output: field(schemas.anything, "The tool response after all rewrites."),
  context: field(text, "One of the texts that are added for the model."),
  messages: field(text, "One of the messages to the person."),
  keep_going: field(text, "Why the agent must go on."),
});

const LINES = "a command line, or a list of them";
const EVENT = "an event, or the name of a file with one";
const STEP = {
  bash: field(
    schemas.either(LINES, schemas.text, schemas.filled(schemas.text, LINES)),
    "A command line, short for a call of Bash. Each line of a list is a case.",
  ),
  event: field(
    schemas.either(EVENT, schemas.text, schemas.map(schemas.anything, EVENT)),
    "An event as hooks see it, or a file with a recorded one.",
  ),
  agent: field(schemas.text, "The agent whose own payload `event` is: claude, codex, gemini …"),
  expect: field(EXPECT, "What must be decided."),
  stub: field(
    schemas.map(schemas.anything, "an object with a reply for each hook"),
    "Replies by the names of the hooks that would give them, so that no program starts.",
  ),
};

const CASE = schemas.object({
  name: field(schemas.text, "What the case says, as a sentence."),
  ...STEP,
  sequence: field(
    schemas.filled(schemas.object(STEP), "a list of steps"),
    "Events of one session, one after another.",
  ),
});

const CASES = schemas.filled(CASE, "a list of cases");

export const CASE_FILE = schemas.object({ cases: neededField(CASES, "The cases.") });

export type Expected = ValueOf<typeof EXPECT>;

export type WrittenCase = ValueOf<typeof CASE>;

/**
 * The comparison that a text in `expect` means; anything else is compared as data.
 *
 * @returns why it can't be used, when it is a regular expression that can't.
 */
export function textPattern(written: unknown): ((text: string) => boolean) | string | undefined {
  if (typeof written !== "string") return undefined;
  const source = /^\/(.*)\/(i?)$/s.exec(written);
  if (source === null) return (given) => given === written;
  try {
    return linearRegex(source[1] ?? "", source[2] === "i");
  } catch (error) {
    return errorMessage(error);
  }
}
