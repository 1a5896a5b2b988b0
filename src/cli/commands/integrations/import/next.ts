import { AGENT_NAMES } from "../../../../adapters/agents.ts";
import type { ImportedIntegration, SettingsPlaces } from "../../../../adapters/integration.ts";
import { integrationOf } from "../../../../adapters/integrations.ts";
import type { WrittenDefinition } from "../../../../config/edit/add-definitions.ts";
import { DRIVERS } from "../../../../know/prove/drivers.ts";
import { shellWord } from "../../../../shared/shell-word.ts";
import type { Invocation } from "../../../command-line/command.ts";
import { counted, shortPath, stepLines } from "../../../command-line/screen/text.ts";
import type { ChangeableScope } from "../../../configured-hooks/scope-files.ts";
import type { ConfigEdit } from "../../../configured-hooks/write-checked.ts";
import { asItWas } from "../../../integrations/replace-file.ts";
import { foundHooks, importSteps } from "./found.ts";
import type { ImportSource } from "./sources.ts";

/** What an import has done. */
export interface Done {
  readonly edits: readonly ConfigEdit[];
  readonly definitions: readonly WrittenDefinition[];
  readonly removals: readonly ConfigEdit[];
  readonly taken: readonly ConfigEdit[];
  readonly scope: ChangeableScope;
  readonly sources: readonly ImportSource[];
  /** The files as they were before. */
  readonly kept: readonly string[];
}

/** Says what was written, and what comes next. */
export function showNext(
  integration: ImportedIntegration,
  { edits, definitions, removals, taken, scope, sources, kept }: Done,
  invocation: Invocation,
): void {
  const { screen, cwd } = invocation;
  const { green, yellow } = screen.paint;
  const left = removals.filter((one) => !taken.includes(one)).map((one) => shortPath(one.file, cwd));
  const gone = taken.map((one) => shortPath(one.file, cwd));
  const name = integration.adapter.name;
  const hasScope = scope !== "project" && integration.scopes.includes(scope);
  const install = `tenterhook install ${name}${hasScope ? ` --scope ${scope}` : ""}`;
  screen.print(
    "",
    ...edits.map(({ file }, at) =>
      green(
        at === 0 && definitions.length > 0
          ? `${counted(definitions.length, "hook")} written to ${shortPath(file, cwd)}.`
          : `Limits written to ${shortPath(file, cwd)}.`,
      ),
    ),
    ...(gone.length === 0 ? [] : [green(`The originals were removed from ${gone.join(", ")}.`)]),
    ...asItWas(invocation, ...kept),
    ...(left.length === 0
      ? []
      : [
          yellow(
            `The originals are still in ${left.join(", ")}, and run as well: ${sameAgain(invocation, "--remove")}.`,
          ),
        ]),
    ...pluginsOf(sources).map((id) =>
      yellow(
        `The hooks of ${id} are still there, and run as well: Claude Code owns that folder, so it stays as it is. claude plugin disable ${id} switches the plug-in off.`,
      ),
    ),
    // Your own file needs no trust.
    ...stepLines([
      ...(scope === "user" ? [] : [["tenterhook trust", "look at them, and trust them"] as const]),
      [install, `have ${integration.table.title} ask us${scope === "user" ? " in every project" : ""}`],
      ["tenterhook replay", "what they would have done in your last sessions"],
      ...(name in DRIVERS
        ? [[`tenterhook prove ${name}`, `see that ${integration.table.title} obeys them`] as const]
        : []),
    ]),
  );
}

/** The plug-ins that their agent has installed. */
function pluginsOf(sources: readonly ImportSource[]): readonly string[] {
  return [...new Set(sources.flatMap(({ foreign }) => foreign.plugin?.id ?? []))];
}

/** The command that imports the same again, with one option more. */
function sameAgain({ names, options }: Invocation, option: string): string {
  const given = (["scope", "settings"] as const).flatMap((name) => {
    const value = options[name];
    return typeof value === "string" ? [`--${name} ${shellWord(value)}`] : [];
  });
  return ["tenterhook import", ...names.map(shellWord), ...given, option].join(" ");
}

/** The hooks of all agents that can be imported, with the command for each. */
export async function showFound(places: SettingsPlaces, { screen, json }: Invocation): Promise<void> {
  const integrations = await Promise.all(AGENT_NAMES.map(integrationOf));
  const found = integrations.flatMap((integration) => foundHooks(integration, places));
  if (json) screen.json(found);
  else if (found.length > 0) screen.print(...stepLines(importSteps(found)));
  else
    screen.print(
      "No hooks of other agents were found. tenterhook import AGENT FILE imports those of a file.",
    );
}

/** The hooks of the agent that were not imported. */
export function showOthers(
  integration: ImportedIntegration,
  sources: readonly ImportSource[],
  places: SettingsPlaces,
  { screen, cwd }: Invocation,
): void {
  const taken = sources.map(({ file }) => file);
  const others = foundHooks(integration, places).filter(({ file }) => !taken.includes(file));
  if (others.length > 0) screen.print("", screen.paint.yellow("Not imported:"));
  for (const { hooks, where, command, file } of others)
    screen.print(`  ${counted(hooks, "hook")} of ${where} (${shortPath(file, cwd)}): ${command}`);
}
