import { z } from "zod";
import { fixtureLines } from "../../support/fixture-lines.ts";

/** A call of a tool, by the names of one agent. */
export type Call = readonly [tool: string, input: Readonly<Record<string, unknown>>];

const FixtureCall = z.strictObject({
  list: z.enum([
    // An ordinary day, by the tools of Claude Code, in a project with its files there; $PROJECT is its folder.
    "everyday",
    "everyday-codex",
    "everyday-gemini",
    // Written by somebody who had not seen the rules: a day's work, and accidents about which a careful person wants to be
    // asked. $HOME is the home, $HOME/code/shop the project.
    "unseen",
    "unseen-accidents",
  ]),
  tool: z.string(),
  input: z.record(z.string(), z.unknown()),
  /** Why it is right that this everyday call is stopped. */
  stopped: z.string().optional(),
});

export type CallList = z.infer<typeof FixtureCall>["list"];

const entries = fixtureLines("calls.jsonl", FixtureCall);

/** The calls of a list. They are text only, and never run. */
export function callsOf(list: CallList): readonly Call[] {
  return entries.filter((entry) => entry.list === list).map(({ tool, input }) => [tool, input]);
}

/** The names of everyday calls that may be stopped. */
export const RIGHTLY_STOPPED: ReadonlySet<string> = new Set(
  entries.filter(({ stopped }) => stopped !== undefined).map(({ tool, input }) => nameOf([tool, input])),
);

/** What names a call where a test shows it. */
export function nameOf([tool, input]: Call): string {
  const [first] = Object.values(input);
  return tool === "Bash" ? String(first) : `${tool} ${String(first)}`;
}
