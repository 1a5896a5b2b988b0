import { TRUST_WAY_OUT } from "../../core/base/untrusted.ts";
import type { EventRow } from "../../core/events/event-row.ts";
import { deny, userMessage } from "../../core/events/outcomes.ts";
import type { Handler } from "../../core/ports.ts";
import type { NamedToolOptions } from "../../core/registration/hook.ts";
import { pathFromHome, shortPath } from "../../node/user-folders.ts";
import type { Config } from "../config.ts";
import { problemText } from "../parse/problem.ts";
import { leadsBack } from "./way-back.ts";

type Reported = Pick<Config, "broken" | "vanished" | "trust">;
type Events = ReadonlyMap<string, EventRow>;

/** The hooks that report what is wrong with a configuration. */
export function reportHooks(config: Reported, events: Events): readonly ReportHook[] {
  const hooks = [
    brokenHook(config, events),
    goneHook(config, events),
    changedHook(config, events),
    vanishedNotice(config, events),
    untrustedNotice(config),
  ];
  return hooks.filter((hook) => hook !== undefined);
}

interface ReportHook {
  readonly key: string;
  readonly events: readonly string[];
  readonly options: NamedToolOptions;
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
function brokenHook({ broken, trust }: Reported, events: Events): ReportHook | undefined {
  if (broken === undefined) return undefined;
  const { last_good: lastGood } = broken;
  const text = brokenText(broken, trust.root);
  const refuses = (name: string): boolean => !lastGood && events.get(name)?.gate === true;
  const about = { name: "configuration", description: "Tells that the configuration can't be read." };
  return reportHook(about, decided(events), text, refuses);
}

export function brokenText(
  { problems, last_good: lastGood }: NonNullable<Config["broken"]>,
  root: string,
): string {
  const lines = problems
    .slice(0, MOST_SHOWN)
    .map((problem) => problemText({ ...problem, file: shortPath(problem.file, root) }));
  const more = problems.length > MOST_SHOWN ? [`and ${problems.length - MOST_SHOWN} more`] : [];
  const goesOn = lastGood
    ? "The configuration can't be read; the last good one is in force."
    : "The configuration can't be read, and there is no last good one.";
  return [goesOn, ...lines, ...more].join("\n");
}

/** Events without a decision are frequent, and an Error follows a decision that reported it already. */
function decided(events: Events): readonly string[] {
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
      run: (event) =>
        refuses(event.hook_event_name) && !leadsBack({ ...event })
          ? deny(text)
          : userMessage(text, "warning"),
    },
  };
}

/** The hook that says at every decision that an agent's settings no longer call us. */
function vanishedNotice(
  { vanished = [], trust: { root } }: Reported,
  events: Events,
): ReportHook | undefined {
  if (vanished.length === 0) return undefined;
  const text = vanished
    .map(
      ({ agent, file, option }) =>
        `${shortPath(file, root)} no longer calls Tenterhook. Restore it with: tenterhook install ${agent}${option}`,
    )
    .join("\n");
  const description = "Tells that an agent's settings no longer call Tenterhook.";
  return reportHook({ name: "installation", description }, decided(events), text);
}

/**
 * The hook that refuses at every gate, and says at every other decision, that something is gone which the user has
 * trusted: nobody knows what it would have refused.
 */
function goneHook({ trust: { gone = [], root } }: Reported, events: Events): ReportHook | undefined {
  if (gone.length === 0) return undefined;
  const lines = [...new Set(gone.map(({ file }) => file))].map((file) => {
    const names = gone.filter((one) => one.file === file).map(({ name }) => name);
    return `${firstNames(names)} of ${shortPath(file, root)} ${names.length === 1 ? "was trusted and is" : "were trusted and are"} gone.`;
  });
  const text = [
    ...lines,
    "Restore it, or review what is missing and accept that with: tenterhook trust",
  ].join("\n");
  const about = { name: "gone", description: "Refuses while trusted hooks are gone." };
  return reportHook(about, decided(events), text, (name) => events.get(name)?.gate === true);
}

/** The hook that refuses at every gate while a trusted file with guards is not what was trusted. */
function changedHook(
  { trust: { changed: files = [], root }, broken }: Reported,
  events: Events,
): ReportHook | undefined {
  if (files.length === 0) return undefined;
  const changed = files.map((file) => shortPath(file, root));
  const isOne = changed.length === 1;
  const repaired = [...new Set(broken?.problems.map(({ file }) => shortPath(file, root)))];
  const text =
    repaired.length === 0
      ? `${firstNames(changed)} ${isOne ? "has changed since you trusted it" : "have changed since you trusted them"}. Review the change with: tenterhook trust`
      : `What is known of ${firstNames(changed)} is not what you trusted. Repair ${firstNames(repaired)} first.`;
  const about = { name: "changed", description: "Refuses while a trusted file has changed." };
  return reportHook(about, decided(events), text, (name) => events.get(name)?.gate === true);
}

function firstNames(names: readonly string[]): string {
  const more = names.length > MOST_SHOWN ? ` and ${names.length - MOST_SHOWN} more` : "";
  return `${names.slice(0, MOST_SHOWN).join(", ")}${more}`;
}

/** The hook that lists at the start of a session what is not in force. */
function untrustedNotice({ trust }: Reported): ReportHook | undefined {
  if (trust.untrusted.length === 0) return undefined;
  const names = [...new Set(trust.untrusted.map(({ name }) => name))];
  const text = `Not trusted and not in force in ${pathFromHome(trust.root)}: ${firstNames(names)}. ${trust.problem ?? TRUST_WAY_OUT}`;
  const about = { name: "trust", description: "Tells what of the project is not trusted." };
  return reportHook(about, ["SessionStart"], text);
}
