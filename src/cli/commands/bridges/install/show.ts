import { BECOMES, type Needs } from "../../../bridges/needs.ts";
import type { Invocation } from "../../../command-line/command.ts";
import { counted, shortPath, wrapped } from "../../../command-line/screen/text.ts";

/** What was done to one settings file. */
export interface Installed {
  readonly agent: string;
  readonly file: string;
  readonly changed: boolean;
  readonly events: readonly string[];
  readonly never_sent: readonly string[];
  readonly unheard: Needs["unheard"];
  readonly backup?: string;
  readonly diff?: readonly string[];
  /** What a user should know and nothing could be done about. */
  readonly notes: readonly string[];
}

/** Says what was done to each file. */
export function showInstalled(done: readonly Installed[], { screen, cwd }: Invocation): void {
  const { green, yellow, dim } = screen.paint;
  if (done.length === 0) screen.print("We are not installed in any agent here.");
  for (const { agent, file, changed, events, never_sent, unheard, backup, diff, notes } of done) {
    if (diff !== undefined) {
      screen.print(...(diff.length === 0 ? [`${shortPath(file, cwd)} would stay as it is.`] : diff));
    } else {
      const what =
        events.length === 0
          ? "no event is needed: no hook is on one of its events (tenterhook list shows the hooks)"
          : events.join(", ");
      screen.print(
        changed
          ? green(`${agent}: ${shortPath(file, cwd)} now calls us for ${counted(events.length, "event")}.`)
          : `${agent}: ${shortPath(file, cwd)} is up to date.`,
        dim(`  ${what}`),
        ...(backup === undefined ? [] : [dim(`  as it was: ${shortPath(backup, cwd)}`)]),
      );
    }
    const said = [
      ...notes,
      ...(never_sent.length === 0
        ? []
        : [`It never sends ${never_sent.join(", ")}; hooks on these will not run.`]),
      ...unheard.map(
        ({ hook, effect, event, becomes }) =>
          `It has no way to hear ${effect} on ${event} (${JSON.stringify(hook)}): ${BECOMES[becomes]}.`,
      ),
    ];
    if (diff !== undefined && said.length > 0) screen.print("");
    for (const note of said) screen.print(yellow(wrapped(note, screen.width, "  ")));
  }
}
