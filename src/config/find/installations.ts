import { readdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { isRecord, parseJson } from "../../core/base/json.ts";
import { writeAtomically } from "../../node/files/atomic-write.ts";
import { makePrivateFolder } from "../../node/files/folders.ts";
import { regularText } from "../../node/files/regular-file.ts";
import { stateFolder } from "../../node/user-folders.ts";
import { sha256 } from "../inputs/digest.ts";
import type { Inputs } from "../inputs/inputs.ts";

/** A settings file that makes an agent call us. */
export interface RecordedInstallation {
  readonly agent: string;
  readonly file: string;
  /** The option with which `install` and `uninstall` choose the file, such as ` --user`. */
  readonly option: string;
  /** The project it belongs to; absent for a file of the user's that holds for every project. */
  readonly project?: string;
}

const MOST_BYTES = 10_000_000;

function folderOf(environment: NodeJS.ProcessEnv | undefined): string {
  return join(stateFolder(environment), "installed");
}

function recordOf(file: string, environment: NodeJS.ProcessEnv | undefined): string {
  return join(folderOf(environment), `${sha256(resolve(file)).slice(0, 32)}.json`);
}

/** Remembers an installation, so that it is noticed when somebody removes our entries. */
export async function recordInstallation(
  installation: RecordedInstallation,
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  makePrivateFolder(folderOf(environment));
  await writeAtomically(recordOf(installation.file, environment), JSON.stringify(installation));
}

export function forgetInstallation(file: string, environment: NodeJS.ProcessEnv): void {
  rmSync(recordOf(file, environment), { force: true });
}

/** All of them, of every project. */
export function recordedInstallations(environment: NodeJS.ProcessEnv): readonly RecordedInstallation[] {
  const folder = folderOf(environment);
  return namesIn(folder).flatMap((name) => parsed(regularText(join(folder, name), MOST_BYTES)) ?? []);
}

/**
 * The recorded installations that count in these projects and no longer call us. Each is seen as an input, so that a
 * cached configuration is read again when one changes. Never throws.
 */
export function vanishedInstallations(
  projects: readonly string[],
  environment: NodeJS.ProcessEnv | undefined,
  inputs: Inputs,
): readonly RecordedInstallation[] {
  const folder = folderOf(environment);
  inputs.see("folder", folder);
  return namesIn(folder).flatMap((name) => {
    const record = join(folder, name);
    inputs.see("file", record);
    const installation = parsed(regularText(record, MOST_BYTES));
    if (installation === undefined) return [];
    const { file, project } = installation;
    if (project !== undefined && !projects.includes(project)) return [];
    inputs.see("file", file);
    return regularText(file, MOST_BYTES)?.includes("tenterhook") === true ? [] : [installation];
  });
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => /^[0-9a-f]{32}\.json$/.test(name));
  } catch {
    return [];
  }
}

function parsed(text: string | undefined): RecordedInstallation | undefined {
  const value = parseJson(text ?? "");
  if (!isRecord(value) || typeof value.agent !== "string" || typeof value.file !== "string") return undefined;
  const { agent, file, option, project } = value;
  if (typeof project !== "string") return { agent, file, option: " --user" };
  return { agent, file, option: typeof option === "string" ? option : "", project };
}
