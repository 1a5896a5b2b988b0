import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { SettingsPath } from "../../adapters/settings/json-edit.ts";
import { isRecord, parseJson } from "../../core/base/json.ts";
import { writeToState } from "../../install/change-files.ts";
import { regularText } from "../../node/files/regular-file.ts";
import { stateFolder } from "../../node/user-folders.ts";

/** A file before and after; the texts are `null` where there was none. */
interface RecordedFile {
  readonly file: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** What `import --remove` took out of an agent's files, so that it can be put back. */
export interface ImportRecord {
  readonly agent: string;
  /** The project, for hooks that are not the user's own. */
  readonly project?: string;
  /** The agent's files, each with the hooks that were in it and the list they were in. */
  readonly originals: readonly (RecordedFile & {
    readonly removed: readonly { readonly list: SettingsPath; readonly value: unknown }[];
  })[];
  /** Where the agent records its trust in hooks. */
  readonly trust: readonly RecordedFile[];
  /** Our configuration, and the names that the hooks have in the first of these files. */
  readonly configuration: readonly RecordedFile[];
  readonly names: readonly string[];
}

const MOST_BYTES = 50_000_000;

function folderOf(environment: NodeJS.ProcessEnv): string {
  return join(stateFolder(environment), "imports");
}

/** @throws TenterhookError `state_unwritable`. */
export async function recordImport(record: ImportRecord, environment: NodeJS.ProcessEnv): Promise<void> {
  const stamp = new Date().toISOString().replaceAll(/[-:.]/g, "");
  await writeToState(folderOf(environment), `${stamp}-${record.agent}.json`, JSON.stringify(record));
}

/** The imports of an agent's hooks that can be undone here, the latest first, with what forgets each. Never throws. */
export function importRecords(
  agent: string,
  project: string,
  environment: NodeJS.ProcessEnv,
): readonly { readonly record: ImportRecord; forget(): void }[] {
  const folder = folderOf(environment);
  return namesIn(folder).flatMap((name) => {
    const file = join(folder, name);
    const record: unknown = parseJson(regularText(file, MOST_BYTES) ?? "");
    if (!isImportRecord(record) || record.agent !== agent) return [];
    if (record.project !== undefined && record.project !== project) return [];
    return [{ record, forget: () => rmSync(file, { force: true }) }];
  });
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).toSorted().toReversed();
  } catch {
    return [];
  }
}

/** Written by ourselves, into a folder of this user alone. */
function isImportRecord(value: unknown): value is ImportRecord {
  return (
    isRecord(value) && [value.originals, value.trust, value.configuration, value.names].every(Array.isArray)
  );
}
