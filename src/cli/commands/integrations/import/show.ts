import type { ImportedHook } from "../../../../adapters/integration.ts";
import type { Invocation } from "../../../command-line/command.ts";
import { hanging, harmless, harmlessName, shortPath, wrapped } from "../../../command-line/screen/text.ts";
import type { ImportSource } from "./sources.ts";

/** What became of a hook: written now, in the configuration already, the same as another one, or skipped. */
export type Fate = "new" | "known" | "same" | "skipped";

export interface ReportedHook extends ImportedHook {
  readonly fate: Fate;
  /** True when it asks a model for which there is no key: the agent goes on asking its own. */
  readonly keyless?: true;
}

export interface ReportedSource {
  readonly source: ImportSource;
  readonly hooks: readonly ReportedHook[];
  readonly notes: readonly string[];
}

const MARKS: Readonly<Record<Fate, string>> = { new: "+", known: "=", same: "=", skipped: "-" };

/** Shows what became of each hook, and what differs from the agent. */
export function showReport(reported: readonly ReportedSource[], { screen, cwd }: Invocation): void {
  const { green, yellow, dim } = screen.paint;
  const paint: Readonly<Record<Fate, (text: string) => string>> = {
    new: green,
    known: dim,
    same: dim,
    skipped: yellow,
  };
  for (const { source, hooks, notes } of reported) {
    if (reported.length > 1) screen.print(dim(`${shortPath(source.file, cwd)}:`));
    for (const { name, about, fate, same_as, differences } of hooks) {
      const more =
        fate === "known"
          ? "  is in the configuration already"
          : same_as === undefined
            ? ""
            : `  the same as ${same_as}`;
      const title = `${harmlessName(name)}  ${dim(harmlessName(`${about}${more}`))}`;
      screen.print(hanging(paint[fate](MARKS[fate]), title, screen.width, 2));
      for (const line of differences) screen.print(yellow(wrapped(harmless(line), screen.width, "    ")));
    }
    for (const note of notes) screen.print(yellow(hanging("!", harmless(note), screen.width, 2)));
  }
}
