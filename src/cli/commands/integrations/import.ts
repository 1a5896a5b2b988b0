import type {
  Imported,
  ImportedHook,
  ImportedIntegration,
  Integration,
  SettingsPlaces,
} from "../../../adapters/integration.ts";
import { integrationOf } from "../../../adapters/integrations.ts";
import { modelProblem } from "../../../agent/model/open-model.ts";
import type { WrittenDefinition } from "../../../config/edit/edits.ts";
import { loadCommittedConfig } from "../../../config/load.ts";
import { loadConfig } from "../../../config.ts";
import { TenterhookError } from "../../../core/base/errors.ts";
import { DEFAULT_LIMITS, type Limits } from "../../../core/registration/limits.ts";
import { applyChange, applyInstall } from "../../../install/apply.ts";
import { installationOf } from "../../../install/installation.ts";
import { needsOf, unsupported } from "../../../install/needs.ts";
import { changes, filesToWrite, planEdit, planInstall } from "../../../install/plan.ts";
import { placesIn, settingsOf } from "../../../install/settings-files.ts";
import { unifiedDiff } from "../../../node/diff.ts";
import { confirm, mayGoOn } from "../../command-line/ask-line.ts";
import { type CommandRun, flagOption, type Invocation } from "../../command-line/command.ts";
import type { Report } from "../../command-line/screen/report.ts";
import { counted, shortPath } from "../../command-line/screen/text.ts";
import { usageError } from "../../command-line/usage-error.ts";
import { guardBlock } from "../../configured-hooks/guard.ts";
import { type ChangeableScope, scopeFile } from "../../configured-hooks/scope-files.ts";
import { type ConfigEdit, writeChecked } from "../../configured-hooks/write-checked.ts";
import { projectPlaces } from "../../integrations/chosen-settings.ts";
import { type ImportRecord, recordImport } from "../../integrations/import-records.ts";
import {
  definitionProblem,
  isSameHook,
  readConfiguration,
  withDefinitions,
  withLimits,
} from "./import/configuration.ts";
import { foundHooks, nothingIn } from "./import/found.ts";
import { withoutOriginals } from "./import/remove.ts";
import { runCheck } from "./import/run-check.ts";
import {
  foundReport,
  hookBlocks,
  nextBlock,
  othersBlock,
  type ReportedHook,
  type ReportedSource,
} from "./import/show.ts";
import { findSources, type ImportSource } from "./import/sources.ts";
import { undoImport } from "./import/undo.ts";

export const run: CommandRun = async (invocation) => {
  const places = await projectPlaces(invocation);
  const [name] = invocation.names;
  const decides = (["undo", "remove", "check"] as const).find((option) => flagOption(invocation, option));
  if (name === undefined && decides === undefined) return foundReport(places);
  if (name === undefined) throw usageError("Which agent?", `tenterhook import AGENT --${decides}`);
  const integration = await importedIntegration(name);
  if (flagOption(invocation, "undo")) return undoImport(integration, places, invocation);
  if (!flagOption(invocation, "check")) return (await importHooks(integration, invocation)).report;
  const { reported } = await converted(integration, places, invocation);
  return runCheck(
    integration,
    reported.flatMap(({ hooks }) => hooks),
    places.root,
    invocation,
  );
};

/** Where hooks are, where they go, and what becomes of each. */
async function converted(integration: ImportedIntegration, places: SettingsPlaces, invocation: Invocation) {
  const { sources, scope } = findSources(integration, places, invocation, (path) =>
    nothingIn(path, foundHooks(integration, places)),
  );
  const file = scopeFile(scope, places.root, invocation.environment);
  return { sources, scope, file, reported: await convert(integration, sources, file, invocation) };
}

/**
 * @param write writes the configuration, and decides whether it is trusted.
 * @returns the report, and how many hooks are no longer in the agent's settings.
 */
export async function importHooks(
  integration: ImportedIntegration,
  invocation: Invocation,
  write: typeof writeChecked = writeChecked,
): Promise<{ readonly report: Report; readonly removed: number }> {
  const { screen, json, cwd, environment } = invocation;
  const places = await projectPlaces(invocation);
  const { root } = places;
  const { sources, scope, file, reported } = await converted(integration, places, invocation);
  const fresh = reported.flatMap(({ hooks }) => hooks.filter(({ fate }) => fate === "new"));
  const definitions = fresh.flatMap(({ definition }) => (definition === undefined ? [] : [definition]));
  const userFile = scopeFile("user", root, environment);
  const edits = configEdits(definitions, limitsIn(reported), file, userFile);
  const removals = removalsFrom(reported);
  const dry = flagOption(invocation, "dryRun");
  const remove = flagOption(invocation, "remove");
  const wanted = [...edits, ...(remove ? removals : [])];
  if (!json)
    screen.print(
      hookBlocks(reported, cwd),
      definitions.length === 0 && `Found nothing new to import in ${filesOf(sources, cwd)}.`,
      dry && wanted.map((one) => ["", unifiedDiff(one.before, one.after, [one.file, one.file])]),
    );
  const others = () => othersBlock(integration, sources, places, cwd);
  if (dry || wanted.length === 0)
    return {
      report: { json: result(reported, file, { written: false, removed: [] }), blocks: others() },
      removed: 0,
    };
  const written = await mayGoOn(
    question(definitions.length, edits, remove ? removals : [], invocation),
    invocation,
  );
  /** What each file was before: a file that changes twice is there once. */
  const backups = new Map<string, string | undefined>();
  const trusts: ImportRecord["trust"][number][] = [];
  if (written) for (const edit of edits) backups.set(edit.file, await write(edit, invocation));
  const takes = written && (remove || (await offersRemoval(removals, invocation)));
  if (takes) await planCalls(integration, scope, invocation);
  const taken = takes ? removals : [];
  for (const { file: path, before, after } of taken) {
    const settings = { file: path, scope: undefined, text: before };
    const change = planEdit(integration, settings, after, places);
    const [backup, ofTrust] = await applyChange(change, environment);
    const { trust } = change;
    backups.set(path, backup);
    if (trust !== undefined) backups.set(trust.settings.file, ofTrust);
    if (trust === undefined || trust.after === trust.settings.text) continue;
    const { file: record, text } = trust.settings;
    trusts.push({ file: record, before: text ?? null, after: trust.after ?? null });
  }
  if (taken.length > 0)
    await recordImport(
      {
        agent: integration.adapter.name,
        ...(scope === "user" ? {} : { project: root }),
        originals: taken.map((one) => ({ ...one, removed: removedFrom(one.file, reported) })),
        trust: trusts,
        configuration: [
          edits.find((edit) => edit.file === file) ?? withDefinitions(file, []),
          ...edits.filter((edit) => edit.file !== file),
        ],
        names: reported
          .filter(({ source }) => source.foreign.plugin?.id === undefined)
          .flatMap(({ hooks }) => hooks.filter((hook) => isRemoved(hook) && hook.fate !== "same"))
          .map(({ name: removed }) => removed),
      },
      environment,
    );
  if (taken.length > 0)
    for (const change of await planCalls(integration, scope, invocation))
      if (changes(change)) {
        const backup = await applyInstall(change, places);
        if (!backups.has(change.settings.file)) backups.set(change.settings.file, backup);
      }
  const done = { edits, definitions, removals, taken, scope, sources, kept: [...backups.values()] };
  const report = {
    json: result(reported, file, { written, removed: taken.map((one) => one.file) }),
    blocks: written &&
      !json && [nextBlock(integration, done, invocation), others(), await guardBlock(invocation)],
    code: written ? 0 : 1,
  };
  const left = reported.filter(({ source }) => taken.some((one) => one.file === source.file));
  return { report, removed: left.flatMap(({ hooks }) => hooks.filter(isRemoved)).length };
}

/**
 * What makes the agent call us for all that hooks need, so that none stops running when its original goes: where it calls us
 * already, else in its settings of the same scope.
 *
 * @throws TenterhookError `agent_cannot`, `settings_unreadable`, when the originals have to stay.
 */
async function planCalls(integration: Integration, scope: ChangeableScope, invocation: Invocation) {
  const config = await loadConfig(invocation);
  const needs = needsOf(config, integration, await loadCommittedConfig(invocation));
  const refused = unsupported(needs, integration);
  if (refused !== undefined) throw refused;
  const places = placesIn(config.trust.root, invocation.environment);
  const installation = installationOf(integration, places);
  const [first] = integration.scopes;
  const fit = integration.scopes.includes(scope) ? scope : first;
  const chosen = installation.installed.length > 0 ? undefined : settingsOf(integration, fit, places);
  const wish = { stripComments: false, statusLine: false, trust: false };
  const planned = filesToWrite(installation, needs, chosen, true).map(({ settings, needed }) =>
    planInstall(integration, settings, needed, wish, places),
  );
  if (planned.some(({ trust }) => trust !== undefined && trust.untrusted.length > 0))
    throw new TenterhookError(
      "agent_cannot",
      `${integration.table.title} would not run our hooks yet, so the originals stay.`,
      {
        hint: `tenterhook install ${integration.adapter.name} --trust, then the same again.`,
      },
    );
  return planned;
}

/** What was removed from a file, as it can be added to the lists it was in. */
function removedFrom(file: string, reported: readonly ReportedSource[]) {
  return reported
    .filter(({ source }) => source.file === file)
    .flatMap(({ source, hooks }) =>
      hooks.filter(isRemoved).flatMap(({ path, original: { matcher, handler } }) => {
        const [event] = path;
        if (source.section === undefined || event === undefined) return [];
        const isGrouped = path.includes("hooks");
        const value = isGrouped
          ? { ...(matcher === undefined ? {} : { matcher }), hooks: [handler] }
          : handler;
        return [{ list: [...source.section, event], value }];
      }),
    );
}

/** @throws TenterhookError `usage_error` for an agent whose hooks we can't convert. */
async function importedIntegration(name: string): Promise<ImportedIntegration> {
  const integration = await integrationOf(name);
  const { importing, table } = integration;
  if (importing !== undefined) return { ...integration, importing };
  throw usageError(
    `Hooks of ${table.title} can't be imported.`,
    `tenterhook install ${name} works without: its own hooks stay where they are.`,
  );
}

/** Every hook of every source as a definition that loads, under a name that is free. */
async function convert(
  integration: ImportedIntegration,
  sources: readonly ImportSource[],
  file: string,
  invocation: Invocation,
): Promise<readonly (ReportedSource & Pick<Imported, "limits">)[]> {
  const { definitions: known } = readConfiguration(file);
  const taken = new Set(known.map(({ name }) => String(name)));
  const reported = [];
  for (const source of sources) {
    const imported = integration.importing.importHooks(source.foreign);
    const hooks: ReportedHook[] = [];
    for (const hook of imported.hooks) hooks.push(await fateOf(hook, known, taken, invocation));
    const notes = [...source.notes, ...imported.notes];
    reported.push({ ...imported, source, hooks, notes });
  }
  return reported;
}

async function fateOf(
  hook: ImportedHook,
  known: readonly WrittenDefinition[],
  taken: Set<string>,
  invocation: Invocation,
): Promise<ReportedHook> {
  const { environment } = invocation;
  const { definition, same_as } = hook;
  if (definition === undefined) return { ...hook, fate: same_as === undefined ? "skipped" : "same" };
  const { model } = definition;
  const missing = typeof model === "string" ? modelProblem(model, { environment }) : undefined;
  const keyless = missing === undefined ? {} : ({ keyless: true } as const);
  const there = known.find((one) => isSameHook(one, definition));
  if (there !== undefined) return { ...hook, name: String(there.name), fate: "known", ...keyless };
  const problem = await definitionProblem(definition, invocation);
  if (problem !== undefined) {
    const { definition: _, ...rest } = hook;
    return { ...rest, fate: "skipped", differences: [...hook.differences, `It was left out: ${problem}`] };
  }
  const name = freeName(hook.name, taken);
  const differences =
    missing === undefined ? hook.differences : [...hook.differences, `${missing} ${KEYLESS}`];
  return { ...hook, name, definition: { ...definition, name }, differences, fate: "new", ...keyless };
}

const KEYLESS = "Until then --remove leaves the original, and the agent asks its own model.";

function freeName(base: string, taken: Set<string>): string {
  let name = base;
  for (let number = 2; taken.has(name); number += 1) name = `${base}-${number}`;
  taken.add(name);
  return name;
}

/** The limits that hooks of other agents rely on. */
const LIMIT_NAMES = ["stop_continuations", "same_stop_reason", "turn_seconds", "turn_tokens"] as const;

function limitsIn(reported: readonly Pick<Imported, "limits">[]): Partial<Limits> {
  const raised: Partial<Record<keyof Limits, number>> = {};
  for (const name of LIMIT_NAMES) {
    const most = Math.max(...reported.map(({ limits }) => limits?.[name] ?? 0));
    if (most > DEFAULT_LIMITS[name]) raised[name] = most;
  }
  return raised;
}

/** Only the user's own file can raise limits. */
function configEdits(
  definitions: readonly WrittenDefinition[],
  limits: Partial<Limits>,
  file: string,
  userFile: string,
): readonly ConfigEdit[] {
  const hooks = withDefinitions(file, definitions);
  const edits =
    file === userFile
      ? [withLimits(hooks, limits)]
      : [hooks, withLimits(withDefinitions(userFile, []), limits)];
  return edits.filter(({ before, after }) => before !== after);
}

function isRemoved({ fate, keyless }: ReportedHook): boolean {
  return fate !== "skipped" && keyless !== true;
}

/** The sources without the hooks that are in the configuration. */
function removalsFrom(reported: readonly ReportedSource[]): readonly ConfigEdit[] {
  return reported.flatMap(({ source, hooks }) => {
    // What an agent has installed is its own: the next update brings it back.
    if (source.foreign.plugin?.id !== undefined) return [];
    const removed = hooks.filter(isRemoved);
    const after = withoutOriginals(source, removed, hooks);
    return after === source.text ? [] : [{ file: source.file, before: source.text, after }];
  });
}

function question(
  number: number,
  edits: readonly ConfigEdit[],
  removals: readonly ConfigEdit[],
  { cwd }: Invocation,
): string {
  const [first, ...others] = edits.map(({ file }) => shortPath(file, cwd));
  const limits = others.length === 0 ? "" : ` and limits to ${others.join(", ")}`;
  const write =
    first === undefined
      ? ""
      : number === 0
        ? `Write limits to ${first}`
        : `Write ${counted(number, "hook")} to ${first}${limits}`;
  if (removals.length === 0) return `${write}?`;
  const remove = `the originals from ${filesOf(removals, cwd)}`;
  return write === "" ? `Remove ${remove}?` : `${write}, and remove ${remove}?`;
}

/** Offered only on a terminal: elsewhere the option says it. */
async function offersRemoval(removals: readonly ConfigEdit[], invocation: Invocation): Promise<boolean> {
  const { screen, json, cwd } = invocation;
  if (removals.length === 0 || json || !screen.interactive || flagOption(invocation, "yes")) return false;
  return confirm(
    `Remove the originals from ${filesOf(removals, cwd)}? Otherwise they run twice.`,
    invocation,
  );
}

function filesOf(those: readonly { readonly file: string }[], cwd: string): string {
  return those.map(({ file }) => shortPath(file, cwd)).join(", ");
}

function result(
  reported: readonly ReportedSource[],
  file: string,
  done: { readonly written: boolean; readonly removed: readonly string[] },
): unknown {
  return {
    from: reported.map(({ source }) => source.file),
    file,
    ...done,
    definitions: reported.flatMap(({ hooks }) =>
      hooks.filter(({ fate }) => fate === "new").map(({ definition }) => definition),
    ),
    hooks: reported.flatMap(({ source, hooks }) =>
      hooks.map(({ name, about, fate, same_as, differences }) => ({
        name,
        about,
        from: source.file,
        fate,
        same_as,
        differences,
      })),
    ),
    notes: reported.flatMap(({ notes }) => notes),
  };
}
