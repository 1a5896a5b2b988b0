import type { Integration, SettingsPlaces } from "../../../../adapters/integration.ts";
import type { SettingsText } from "../../../../adapters/settings/json-edit.ts";
import { editList } from "../../../../config/edit/edits.ts";
import { setInJson } from "../../../../config/edit/set-in.ts";
import { TenterhookError } from "../../../../core/base/errors.ts";
import { type ChangedFile, writeSettings } from "../../../../install/change-files.ts";
import { orElse, readSettings } from "../../../../install/settings-files.ts";
import { unifiedDiff } from "../../../../node/diff.ts";
import { mayGoOn } from "../../../command-line/ask-line.ts";
import { flagOption, type Invocation, type Outcome } from "../../../command-line/command.ts";
import { counted, green, shortPath, yellow } from "../../../command-line/screen/text.ts";
import { keepTrusted } from "../../../configured-hooks/write-checked.ts";
import { asItWas } from "../../../integrations/as-it-was.ts";
import { type ImportRecord, importRecords } from "../../../integrations/import-records.ts";

/** `import --undo`: puts the originals back where they were, and takes the imported hooks out of our configuration. */
export async function undoImport(
  integration: Integration,
  places: SettingsPlaces,
  invocation: Invocation,
): Promise<Outcome> {
  const { name } = integration.adapter;
  const records = importRecords(name, places.root, invocation.environment);
  if (records.length === 0)
    throw new TenterhookError(
      "settings_unreadable",
      `No hooks of ${integration.table.title} were removed here.`,
      {
        hint: "Backups of all files that were changed are in the folder backups of the state folder.",
      },
    );
  const { screen, json, cwd } = invocation;
  const dry = flagOption(invocation, "dryRun");
  const files = records.flatMap(({ record }) => record.originals.map(({ file }) => shortPath(file, cwd)));
  if (!dry && !(await mayGoOn(`Put the originals back into ${[...new Set(files)].join(", ")}?`, invocation)))
    return 1;
  const restored: string[] = [];
  const problems: string[] = [];
  for (const { record, forget } of records) {
    const { changes, problems: left } = changesFor(record, integration);
    problems.push(...left);
    for (const change of changes) {
      const { file, before, after } = change;
      if (dry && !json) screen.print("", ...unifiedDiff(before ?? "", after ?? "", [file, file]));
      if (dry) continue;
      const { environment, signal } = invocation;
      // The user took the hooks out, so that nobody has to be asked why trusted ones are gone.
      const backup = await keepTrusted(file, after, { cwd, environment, signal }, () =>
        writeSettings({ file, scope: undefined, text: before }, after, environment),
      );
      restored.push(file);
      if (!json) screen.print(green(`${shortPath(file, cwd)} was restored.`), asItWas(invocation, backup));
    }
    if (!dry && left.length === 0) forget();
  }
  return { json: { restored, problems }, blocks: problems.map(yellow), code: problems.length === 0 ? 0 : 1 };
}

/** The files as they will be. What somebody has changed since stays changed. */
function changesFor(record: ImportRecord, integration: Integration) {
  const problems: string[] = [];
  const changes: ChangedFile[] = [];
  const add = (file: string, after: SettingsText): void => {
    const before = readSettings(file);
    if (before !== after) changes.push({ file, before, after });
  };
  for (const { file, before, after, removed } of record.originals) {
    const now = readSettings(file);
    const { installed, uninstall, install, entered } = integration.settings;
    const isOurs = orElse(false, () => installed(now).length > 0);
    const withoutUs = (text: SettingsText): SettingsText => orElse(text, () => uninstall(text));
    const [base, left, original] = [now, after ?? undefined, before ?? undefined].map(withoutUs);
    if (base === left || (base === undefined && isEmpty(after))) {
      // Entries of ours stay in it.
      add(file, isOurs ? install(original, entered(now)) : original);
    } else if (removed.length > 0)
      add(
        file,
        removed.reduce((text, { list, value }) => setInJson(text, [...list, -1], value), now ?? ""),
      );
    else problems.push(`${file} has changed since, so its hooks have to be put back by hand.`);
  }
  // The agent's trust in what it gets back; where it has changed since, the agent asks.
  for (const { file, before, after } of record.trust)
    if ((readSettings(file) ?? null) === after) add(file, before ?? undefined);
  for (const [at, { file, before, after }] of record.configuration.entries()) {
    const now = readSettings(file);
    // A file that was written for them goes with them.
    if ((now ?? null) === after && after !== before) add(file, before || undefined);
    else if (at === 0 && now !== undefined)
      add(
        file,
        record.names.reduce((text, name) => editList(file, text, "disabled", name, true), now),
      );
  }
  return { changes, problems };
}

function isEmpty(text: string | null): boolean {
  return text === null || /^\s*(?:\{\s*\})?\s*$/.test(text);
}

/** How many hooks an uninstalled agent could have back, and how. */
export function undoHint(agent: string, root: string, environment: NodeJS.ProcessEnv): string | undefined {
  const names = importedNames(agent, root, environment);
  if (names.length === 0) return undefined;
  return `${counted(names.length, "hook")} of yours came from its settings and now ${names.length === 1 ? "runs" : "run"} nowhere: tenterhook import ${agent} --undo puts ${names.length === 1 ? "it" : "them"} back.`;
}

/** Why originals can't be put back, a sentence each. */
export function importProblems(
  integration: Integration,
  root: string,
  environment: NodeJS.ProcessEnv,
): readonly string[] {
  return importRecords(integration.adapter.name, root, environment).flatMap(
    ({ record }) => changesFor(record, integration).problems,
  );
}

/** The hooks that were taken out of an agent's settings, and run through us. */
export function importedNames(
  agent: string,
  root: string,
  environment: NodeJS.ProcessEnv,
): readonly string[] {
  return importRecords(agent, root, environment).flatMap(({ record }) => record.names);
}
