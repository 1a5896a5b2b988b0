import { z } from "zod";
import { fixtureLines } from "../../support/fixture-lines.ts";

/** The lists of test/fixtures/shell-lines.jsonl. A line may be in several. */
export const LISTS = [
  "corpus",
  "cases",
  // What coding agents run in a day's work.
  "everyday",
  // Close to dangerous lines: read-only modes, dry runs, listings, strings that mention a secret.
  "harmless",
  "dangerous",
  // Of publishing, production, services, processes, overwritten data, empty variables and tools with a language of their own,
  // and harmless lines close to them. The environment has no more than HOME and PATH.
  "accidents",
  // Written after the rules, without looking at them.
  "unseen",
  "unseen-2",
  "unseen-3",
  "unseen-4",
  "unseen-5",
  "unseen-6",
] as const;

const LabelledLine = z.strictObject({
  /**
   * `destructive`: irreversible loss outside throw-away build output, or code from elsewhere is run. `exfiltration`: local data
   * leaves the machine, or a secret is shown.
   */
  label: z.enum(["destructive", "exfiltration", "safe"]),
  lists: z.array(z.enum(LISTS)),
  command: z.string(),
  /** Files that are there. */
  files: z.array(z.string()).readonly().optional(),
  /** It can't do its work without a network. */
  network: z.literal(true).optional(),
});

export type LabelledLine = Readonly<z.infer<typeof LabelledLine>>;
export type LineList = (typeof LISTS)[number];

const lines = fixtureLines("shell-lines.jsonl", LabelledLine);

/** The labelled shell lines of a list. They are text only, and never run. */
export function labelledLines(list: LineList): readonly LabelledLine[] {
  return lines.filter(({ lists }) => lists.includes(list));
}
