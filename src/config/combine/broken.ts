import { TRUST_WAY_OUT } from "../../core/decide/failures.ts";
import type { EventRow } from "../../core/events/event-row.ts";
import { deny, userMessage } from "../../core/events/outcomes.ts";
import type { Handler } from "../../core/ports.ts";
import type { HookOptions } from "../../core/registration/hook.ts";
import type { Config } from "../config.ts";
import { problemText } from "../parse/problem.ts";

/** A hook that reports what is wrong with the configuration. */
export interface ReportHook {
  readonly key: string;
  readonly events: readonly string[];
  readonly options: HookOptions;
  readonly handler: Handler;
}

const MOST_SHOWN = 5;
/** Runs before every other hook. */
const FIRST = -1_000_000;

/**
 * The hook that says at every decision that the files can't be used. With a last good configuration that is all; without
 * one it refuses wherever something can be refused, at events of the program's own too, since nobody knows which gates
 * there should be.
 */
export function brokenHook(
  { broken }: Pick<Config, "broken">,
  events: ReadonlyMap<string, EventRow>,
): ReportHook | undefined {
  if (broken === undefined) return undefined;
  const { last_good: lastGood } = broken;
  const text = brokenText(broken);
  const refuses = (name: string): boolean => !lastGood && events.get(name)?.gate === true;
  const about = { name: "configuration", description: "Tells that the configuration can't be read." };
  return reportHook(about, decided(events), text, refuses);
}

export function brokenText({ problems, last_good: lastGood }: NonNullable<Config["broken"]>): string {
  const lines = problems.slice(0, MOST_SHOWN).map(problemText);
  const more = problems.length > MOST_SHOWN ? [`and ${problems.length - MOST_SHOWN} more`] : [];
  const goesOn = lastGood
    ? "The configuration can't be read; the last good one is in force."
    : "The configuration can't be read, and there is no last good one.";
  return [goesOn, ...lines, ...more].join("\n");
}

/** Events without a decision are frequent, and an Error follows a decision that reported it already. */
function decided(events: ReadonlyMap<string, EventRow>): readonly string[] {
  return [...events].flatMap(([name, { effects }]) => (name !== "Error" && effects.length > 0 ? [name] : []));
}

function reportHook(
  { name, description }: { readonly name: string; readonly description: string },
  events: readonly string[],
  text: string,
  refuses: (event: string) => boolean = () => false,
): ReportHook {
  return {
    key: [name, ...events.map((event) => `${refuses(event) ? "refuse" : "report"} ${event}`), text].join(" "),
    events,
    options: { name: `tenterhook:${name}`, description, priority: FIRST },
    handler: {
      type: "function",
      run: ({ hook_event_name: event }) => (refuses(event) ? deny(text) : userMessage(text, "warning")),
    },
  };
}

/** The hook that says at every decision that an agent's settings no longer call us. */
export function vanishedNotice(
  { vanished = [] }: Pick<Config, "vanished">,
  events: ReadonlyMap<string, EventRow>,
): ReportHook | undefined {
  if (vanished.length === 0) return undefined;
  const text = vanished
    .map(
      ({ agent, file }) => `${file} no longer calls Tenterhook. Restore it with: tenterhook install ${agent}`,
    )
    .join("\n");
  const description = "Tells that an agent's settings no longer call Tenterhook.";
  return reportHook({ name: "installation", description }, decided(events), text);
}

/** The hook that lists at the start of a session what is not in force. */
export function untrustedNotice({ trust }: Pick<Config, "trust">): ReportHook | undefined {
  if (trust.state !== "untrusted") return undefined;
  const names = [...new Set(trust.untrusted.map(({ name }) => name))];
  const shown = names.slice(0, MOST_SHOWN).join(", ");
  const more = names.length > MOST_SHOWN ? ` and ${names.length - MOST_SHOWN} more` : "";
  const text = `Not trusted and not in force in ${trust.root}: ${shown}${more}. ${trust.problem ?? TRUST_WAY_OUT}`;
  const about = { name: "trust", description: "Tells what of the project is not trusted." };
  return reportHook(about, ["SessionStart"], text);
}
