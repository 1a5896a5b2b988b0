import type { ImportedHook, ImportedIntegration, SettingsPlaces } from "../../../../adapters/integration.ts";
import { integrationOf } from "../../../../adapters/integrations.ts";
import type { WrittenDefinition } from "../../../../config/edit/edits.ts";
import { AGENT_NAMES } from "../../../../core/events/agent-names.ts";
import type { Finding } from "../../../../install/finding.ts";
import { DRIVERS } from "../../../../know/prove/drivers.ts";
import { PLACES } from "../../../../node/places.ts";
import type { Invocation } from "../../../command-line/command.ts";
import { type Block, findings, paragraph, type Report, steps } from "../../../command-line/screen/report.ts";
import {
  counted,
  dim,
  green,
  hanging,
  harmless,
  harmlessName,
  shortPath,
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

const COLOURS: Readonly<Record<Fate, (text: string) => string>> = {
  new: green,
  known: dim,
  same: dim,
  skipped: yellow,
};

/** What became of each hook, and what differs from the agent. */
export function hookBlocks(reported: readonly ReportedSource[], cwd: string): Block {
  return reported.map(({ source, hooks, notes }) => [
    reported.length > 1 && dim(`${shortPath(source.file, cwd)}:`),
    hooks.map(({ name, about, fate, same_as = "", differences }): Block => {
      const same = same_as === "" ? "" : `  the same as ${same_as}`;
      const more = fate === "known" ? "  is in the configuration already" : same;
      const title = `${harmlessName(name)}  ${dim(harmlessName(`${about}${more}`))}`;
      return [
        ({ width }) => [hanging(COLOURS[fate](MARKS[fate]), title, width, 2)],
        differences.map((line) => paragraph(line, yellow, "    ")),
      ];
    }),
    notes.map(
      (note): Block =>
        ({ width }) => [yellow(hanging("!", harmless(note), width, 2))],
    ),
  ]);
}

interface Done {
  readonly edits: readonly ConfigEdit[];
  readonly definitions: readonly WrittenDefinition[];
  readonly removals: readonly ConfigEdit[];
  readonly taken: readonly ConfigEdit[];
  readonly scope: ChangeableScope;
  readonly sources: readonly ImportSource[];
  readonly kept: readonly (string | undefined)[];
}

/** What was written, what runs twice now, and how to go on. */
export function nextBlock(
  integration: ImportedIntegration,
  { edits, definitions, removals, taken, scope, sources, kept }: Done,
  invocation: Invocation,
): Block {
  const { cwd } = invocation;
  const { name } = integration.adapter;
  const { title } = integration.table;
  const left = removals.filter((one) => !taken.includes(one));
  const plugins = new Set(sources.flatMap(({ foreign }) => foreign.plugin?.id ?? []));
  const hasScope = scope !== "project" && integration.scopes.includes(scope);
  const install = `tenterhook install ${name}${hasScope ? ` --${scope}` : ""}`;
  const at = (level: Finding["level"], file: string, message: string, fix?: string): Finding => ({
    level,
    about: shortPath(file, cwd),
    message,
    fix,
  });
  return [
    "",
    findings(
      [
        ...edits.map(({ file }, index) => {
          const isHooks = index === 0 && definitions.length > 0;
          return at("ok", file, `${isHooks ? counted(definitions.length, "hook") : "limits"} written`);
        }),
        ...taken.map(({ file }) =>
          at("ok", file, `the originals are out; ${title} calls Tenterhook for them`),
        ),
        ...left.map(({ file }) =>
          at("warning", file, "the originals run as well", removingCommand(invocation)),
        ),
        ...[...plugins].map(
          (id): Finding => ({
            level: "warning",
            about: id,
            message: "its hooks run as well, in a folder that Claude Code owns",
            fix: `claude plugin disable ${id}`,
          }),
        ),
      ],
      true,
    ),
    asItWas(invocation, ...kept),
    "",
    steps([
      // Your own file needs no trust.
      ...(scope === "user" ? [] : [["tenterhook trust", "look at them, and trust them"] as const]),
      // What takes the originals out has it ask us.
      ...(taken.length > 0
        ? []
        : [[install, `have ${title} ask us${scope === "user" ? " in every project" : ""}`] as const]),
      ["tenterhook replay", "what they would have done in your last sessions"],
      ...(name in DRIVERS ? [[`tenterhook prove ${name}`, `see that ${title} obeys them`] as const] : []),
    ]),
  ];
}

/** The command that imports the same again, and removes the originals. */
function removingCommand({ names, options }: Invocation): string {
  const given = ["user", "project", "local", "settings"].flatMap((name) => {
    const value = options[name];
    if (value === true) return [`--${name}`];
    return typeof value === "string" ? [`--${name} ${PLACES.word(value)}`] : [];
  });
  return ["tenterhook import", ...names.map(PLACES.word), ...given, "--remove"].join(" ");
}

/** The hooks of all agents that can be imported, with the command for each. */
export async function foundReport(places: SettingsPlaces): Promise<Report> {
  const integrations = await Promise.all(AGENT_NAMES.map(integrationOf));
  const found = integrations.flatMap((integration) => foundHooks(integration, places));
  const none = "No hooks of other agents were found. tenterhook import AGENT FILE imports those of a file.";
  return { json: found, blocks: found.length > 0 ? steps(importSteps(found)) : none };
}

export function othersBlock(
  integration: ImportedIntegration,
  sources: readonly ImportSource[],
  places: SettingsPlaces,
  cwd: string,
): Block {
  const taken = sources.map(({ file }) => file);
  const others = foundHooks(integration, places).filter(({ file }) => !taken.includes(file));
  return (
    others.length > 0 && [
      "",
      yellow("Not imported:"),
      others.map(
        ({ hooks, where, command, file }) =>
          `  ${counted(hooks, "hook")} of ${where} (${shortPath(file, cwd)}): ${command}`,
      ),
    ]
  );
}
