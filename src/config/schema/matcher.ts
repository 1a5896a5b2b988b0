import { z } from "zod";
import { didYouMean } from "../../core/base/suggest.ts";
import { EVENTS } from "../../core/events/event-table.ts";
import type { Matcher } from "../../core/registration/matcher.ts";
import { flag, names, object, oneOf } from "./values.ts";

const EVENT_NAMES = Object.keys(EVENTS);

const EVENTS_EXPECTED = "an event or a list of events, for example [PreToolUse]";

const eventExpected = ({ input }: { readonly input?: unknown }): string => {
  if (typeof input !== "string") return EVENTS_EXPECTED;
  return `the name of an event${didYouMean(input, EVENT_NAMES).replace(/^ /, ". ")}`;
};

/** The name of an event of the table, or of one's own: `custom:deploy`, `claude:ConfigChange`. */
const event = z.union(
  [z.enum(EVENT_NAMES), z.string().regex(/^[a-z][a-z0-9-]*:\S+$/, { error: eventExpected })],
  {
    error: eventExpected,
  },
);

const sessionType = oneOf(["root", "subagent"]);

/** Which events a hook of a file wants. */
export const matcher = object({
  events: z
    .union([event, z.array(event, { error: EVENTS_EXPECTED }).min(1, { error: EVENTS_EXPECTED })], {
      error: eventExpected,
    })
    .describe("The events the hook is asked about."),
  tools: names
    .describe("Tools by name, A|B, glob or /regex/; our names and every agent's own names both fit.")
    .exactOptional(),
  path_patterns: names.describe("Globs over the paths a call touches.").exactOptional(),
  command_patterns: names
    .describe("Globs or /regex/ over each simple command of a shell line.")
    .exactOptional(),
  model_patterns: names.describe("Models by name or glob.").exactOptional(),
  session_types: z
    .union([sessionType, z.array(sessionType).min(1)], { error: "root, subagent or a list of them" })
    .describe("Only in sessions of this kind.")
    .exactOptional(),
  agents: names.describe("Agents by type or id.").exactOptional(),
  hosts: names.describe("The program the agent runs in: claude, codex, gemini and so on.").exactOptional(),
  sources: names.describe("SessionStart: startup, resume, clear, compact, fork.").exactOptional(),
  error_types: names.describe("Error: its type.").exactOptional(),
  domains: names.describe("The hosts a call names.").exactOptional(),
  hook_turns: flag.describe("False: not on turns that a hook started.").exactOptional(),
  when: z.unknown().describe("A rule condition, as a text or as an object.").exactOptional(),
  outcome: oneOf(["success", "failure"]).describe("Only after this outcome.").exactOptional(),
} satisfies Record<keyof Matcher | "events", z.ZodType>).meta({
  id: "matcher",
  description: "Which events the hook wants.",
});
