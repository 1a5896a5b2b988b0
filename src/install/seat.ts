import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Integration, SettingsPlaces } from "../adapters/integration.ts";
import { errorMessage } from "../core/base/error-text.ts";
import { TenterhookError } from "../core/base/errors.ts";
import { writeAtomically } from "../node/files/atomic-write.ts";
import { makeFolders } from "../node/files/folders.ts";
import { regularText } from "../node/files/regular-file.ts";
import { ownProgram } from "../node/own-program.ts";
import { SYSTEM } from "../node/system.ts";
import { stateFolder } from "../node/user-folders.ts";
import { NODE_VARIABLES } from "../shared/code-variables.ts";
import { installationOf } from "./installation.ts";
import { orElse, readSettings, type SettingsFile } from "./settings-files.ts";

/** Whether settings get our plug-in: its folder, or what people have to know without it. */
export interface Seat {
  readonly folder?: string;
  readonly note?: string;
}

/** The folder of our plug-in: a user's own, or, for a whole machine, one next to the managed settings. */
export function seatFolder(
  { adapter }: Integration,
  { file, isManaged }: Pick<SettingsFile, "file" | "isManaged">,
  environment: NodeJS.ProcessEnv,
): string {
  return isManaged === true
    ? join(dirname(file), "tenterhook")
    : join(stateFolder(environment), "seat", adapter.name);
}

/** @param called the events for which the settings call us. */
export function seatFor(
  integration: Integration,
  settings: SettingsFile,
  called: readonly string[],
  places: SettingsPlaces,
): Seat {
  const { lastGate, table } = integration;
  if (lastGate === undefined || !called.includes(lastGate.event) || !SYSTEM.posixShell) return {};
  const { scope, isManaged } = settings;
  const folder = seatFolder(integration, settings, places.environment);
  if (isManaged === true) return { folder };
  if (scope === undefined) return {};
  if (scope !== "user") return isSeated(integration, places) ? {} : { note: lastGate.without };
  const managed = lastGate.overruledBy();
  if (managed === undefined) return { folder, note: lastGate.overruledBySome };
  const note = `${table.title} lets no plug-in of a user come first where ${managed} is: sudo tenterhook install ${integration.adapter.name} --managed puts ours first there. ${lastGate.without.replace(/: .*$/, ".")}`;
  return { note };
}

/** True when settings of the user or of the machine put our plug-in first. Never throws. */
function isSeated(integration: Integration, places: SettingsPlaces): boolean {
  return installationOf(integration, places).files.some(
    ({ place, text }) =>
      (place === "user" || place === "managed") &&
      orElse(false, () => integration.lastGate?.folderIn(text) !== undefined),
  );
}

/** The files of the plug-in that are not as they should be. */
export function staleFiles(
  integration: Integration,
  settings: Pick<SettingsFile, "file" | "isManaged">,
  environment: NodeJS.ProcessEnv,
): readonly (readonly [string, string])[] {
  const folder = seatFolder(integration, settings, environment);
  const { file: engine, args } = ownProgram();
  const program = [engine, ...args];
  const place =
    settings.isManaged === true
      ? { program, unset: NODE_VARIABLES }
      : { program, state: stateFolder(environment) };
  return [...(integration.lastGate?.files(place) ?? [])]
    .map(([name, text]) => [join(folder, name), text] as const)
    .filter(([file, text]) => regularText(file, MOST_BYTES) !== text);
}

const MOST_BYTES = 1_000_000;

/** @throws TenterhookError `write_failed`. */
export async function writeSeat(files: ReturnType<typeof staleFiles>, isShared: boolean): Promise<void> {
  for (const [file, text] of files) {
    try {
      makeFolders(dirname(file), isShared ? 0o755 : 0o700);
      await writeAtomically(file, text, { mode: isShared ? 0o644 : 0o600 });
    } catch (cause) {
      throw new TenterhookError("write_failed", `${file} can't be written: ${errorMessage(cause)}.`, {
        cause,
      });
    }
  }
}

/** Removes the folder of the plug-in, and what the agent has noted about it. */
export async function removeSeat(
  { lastGate }: Integration,
  folder: string,
  places: SettingsPlaces,
): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  if (lastGate === undefined) return;
  const { file, without } = lastGate.listed(places);
  const text = readSettings(file);
  const left = without(text, folder);
  if (left === text) return;
  if (left === undefined) rmSync(file, { force: true });
  else await writeAtomically(file, left, { keep: true, mode: 0o600 });
}
