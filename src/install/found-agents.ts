import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { Integration } from "../adapters/integration.ts";
import { integrationOf } from "../adapters/integrations.ts";
import { UNGUARDED_AGENTS, type UnguardedAgent } from "../adapters/unguarded-agents.ts";
import { isRecord, parseJson } from "../core/base/json.ts";
import { AGENT_NAMES } from "../core/events/agent-names.ts";
import { realPath } from "../node/files/real-path.ts";
import { regularText } from "../node/files/regular-file.ts";
import { findProgram } from "../node/process/find-program.ts";
import { placesIn } from "./settings-files.ts";

/** A folder, and the variables of who works there. */
export interface Place {
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
}

/** The agents on this machine. */
export async function foundAgents({ cwd, environment }: Place): Promise<readonly Integration[]> {
  const integrations = await Promise.all(AGENT_NAMES.map(integrationOf));
  return integrations.filter((one) => isHere(one, { cwd, environment }));
}

/** True when its program is on the PATH, or it has a folder of settings in the home folder. */
export function isHere({ program, scopes, settingsFile }: Integration, { cwd, environment }: Place): boolean {
  if (findProgram(program, cwd, environment) !== undefined) return true;
  const places = placesIn(cwd, environment);
  const folder = scopes.includes("user") ? dirname(settingsFile("user", places)) : places.home;
  return folder !== places.home && existsSync(folder);
}

/** Those that are here and that nobody guards. */
export function foundUnguarded({ cwd, environment }: Place): readonly UnguardedAgent[] {
  const { home } = placesIn(cwd, environment);
  return UNGUARDED_AGENTS.filter(
    ({ program, folder }) =>
      findProgram(program, cwd, environment) !== undefined || existsSync(join(home, folder)),
  );
}

/** Some are programs of Node, which start slowly on a busy machine. */
const MOST_MILLISECONDS = 20_000;
const MOST_BYTES = 1_000_000;

/**
 * The version of a program: of the npm package it belongs to, since some programs take seconds to say it, else what
 * `--version` prints. `undefined` when there is no such program.
 */
export async function programVersion(
  { program, homeVariable }: Pick<Integration, "program" | "homeVariable">,
  { cwd, environment, signal }: Place & { readonly signal: AbortSignal },
): Promise<string | undefined> {
  const file = findProgram(program, cwd, environment);
  if (file === undefined) return undefined;
  const packaged = packageVersion(program, realPath(file) ?? file);
  if (packaged !== undefined) return packaged;
  const home = homeVariable === undefined ? undefined : mkdtempSync(join(tmpdir(), "tenterhook-version-"));
  try {
    const run = promisify(execFile);
    const { stdout } = await run(file, ["--version"], {
      env: homeVariable === undefined ? environment : { ...environment, [homeVariable]: home },
      timeout: MOST_MILLISECONDS,
      maxBuffer: 100_000,
      signal,
    });
    return /\d+(?:\.\d+)+(?:[\w.-]*\w)?/.exec(stdout)?.[0] ?? "of an unknown version";
  } catch {
    return "that does not tell its version";
  } finally {
    if (home !== undefined) rmSync(home, { recursive: true, force: true });
  }
}

/** The version in the nearest package.json that has this program. */
function packageVersion(program: string, file: string): string | undefined {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    const manifest = parseJson(regularText(join(folder, "package.json"), MOST_BYTES) ?? "");
    if (!isRecord(manifest)) continue;
    const { name, version, bin } = manifest;
    const isIts = isRecord(bin) ? Object.hasOwn(bin, program) : typeof bin === "string" && name === program;
    if (isIts && typeof version === "string") return version;
  }
  return undefined;
}

export function isOlder(version: string, than: string): boolean {
  const [one, other] = [version, than].map((text) => /^\d+(?:\.\d+)*/.exec(text)?.[0].split(".").map(Number));
  if (one === undefined || other === undefined) return false;
  const at = other.findIndex((number, index) => number !== (one[index] ?? 0));
  return at !== -1 && (one[at] ?? 0) < (other[at] ?? 0);
}
