import type { ImportedHook, ImportedIntegration, SettingsPlaces } from "../../../../adapters/integration.ts";
import { integrationOf } from "../../../../adapters/integrations.ts";
import type { WrittenDefinition } from "../../../../config/edit/edits.ts";
import { AGENT_NAMES } from "../../../../core/events/agent-names.ts";
import { DRIVERS } from "../../../../know/prove/drivers.ts";
import { shellWord } from "../../../../shared/shell-word.ts";
import type { Invocation } from "../../../command-line/command.ts";
import { steps } from "../../../command-line/screen/report.ts";
import {
  counted,
  dim,
  green,
  hanging,
  harmless,
  harmlessName,
  shortPath,
  wrapped,
  yellow,
} from "../../../command-line/screen/text.ts";
import type { ChangeableScope } from "../../../configured-hooks/scope-files.ts";
import type { ConfigEdit } from "../../../configured-hooks/write-checked.ts";
import { asItWas } from "../../../integrations/as-it-was.ts";
import { foundHooks, importSteps } from "./found.ts";
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

interface Done {
  readonly edits: readonly ConfigEdit[];
  readonly definitions: readonly WrittenDefinition[];
  readonly removals: readonly ConfigEdit[];
  readonly taken: readonly ConfigEdit[];
  readonly scope: ChangeableScope;
  readonly sources: readonly ImportSource[];
  readonly kept: readonly string[];
}

export function showNext(
  integration: ImportedIntegration,
  { edits, definitions, removals, taken, scope, sources, kept }: Done,
  invocation: Invocation,
): void {
  const { screen, cwd } = invocation;
  const left = removals.filter((one) => !taken.includes(one)).map((one) => shortPath(one.file, cwd));
  const gone = taken.map((one) => shortPath(one.file, cwd));
  const name = integration.adapter.name;
  const hasScope = scope !== "project" && integration.scopes.includes(scope);
  const install = `tenterhook install ${name}${hasScope ? ` --${scope}` : ""}`;
  const { title } = integration.table;
  screen.print("");
  for (const [at, { file }] of edits.entries()) {
    const what = at === 0 && definitions.length > 0 ? counted(definitions.length, "hook") : "Limits";
    screen.print(green(`${what} written to ${shortPath(file, cwd)}.`));
  }
  if (gone.length > 0)
    screen.print(
      green(`The originals were removed from ${gone.join(", ")}; ${title} calls Tenterhook for them.`),
    );
  screen.print(...asItWas(invocation, ...kept));
  if (left.length > 0)
    screen.print(
      yellow(
        `The originals are still in ${left.join(", ")}, and run as well: ${removingCommand(invocation)}.`,
      ),
    );
  for (const id of new Set(sources.flatMap(({ foreign }) => foreign.plugin?.id ?? [])))
    screen.print(
      yellow(
        `The hooks of ${id} are still there, and run as well: Claude Code owns that folder, so it stays as it is. claude plugin disable ${id} switches the plug-in off.`,
      ),
    );
  const next: [string, string][] = [["tenterhook replay", "what they would have done in your last sessions"]];
  // What takes the originals out has it ask us.
  if (gone.length === 0)
    next.unshift([install, `have ${title} ask us${scope === "user" ? " in every project" : ""}`]);
  // Your own file needs no trust.
  if (scope !== "user") next.unshift(["tenterhook trust", "look at them, and trust them"]);
  if (name in DRIVERS) next.push([`tenterhook prove ${name}`, `see that ${title} obeys them`]);
  screen.print(steps(next));
}

/** The command that imports the same again, and removes the originals. */
function removingCommand({ names, options }: Invocation): string {
  const given = ["user", "project", "local", "settings"].flatMap((name) => {
    const value = options[name];
    if (value === true) return [`--${name}`];
    return typeof value === "string" ? [`--${name} ${shellWord(value)}`] : [];
  });
  return ["tenterhook import", ...names.map(shellWord), ...given, "--remove"].join(" ");
}

/** The hooks of all agents that can be imported, with the command for each. */
export async function showFound(places: SettingsPlaces, { screen, json }: Invocation): Promise<void> {
  const integrations = await Promise.all(AGENT_NAMES.map(integrationOf));
  const found = integrations.flatMap((integration) => foundHooks(integration, places));
  if (json) screen.json(found);
  else if (found.length > 0) screen.print(steps(importSteps(found)));
  else
    screen.print(
      "No hooks of other agents were found. tenterhook import AGENT FILE imports those of a file.",
    );
}

export function showOthers(
  integration: ImportedIntegration,
  sources: readonly ImportSource[],
  places: SettingsPlaces,
  { screen, cwd }: Invocation,
): void {
  const taken = sources.map(({ file }) => file);
  const others = foundHooks(integration, places).filter(({ file }) => !taken.includes(file));
  if (others.length > 0) screen.print("", yellow("Not imported:"));
  for (const { hooks, where, command, file } of others)
    screen.print(`  ${counted(hooks, "hook")} of ${where} (${shortPath(file, cwd)}): ${command}`);
}
