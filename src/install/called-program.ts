import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import type { Integration } from "../adapters/integration.ts";
import { FIND, PROJECT_PROGRAM } from "../adapters/settings/hook-command.ts";
import { isRecord, parseJson } from "../core/base/json.ts";
import { realPath } from "../node/files/real-path.ts";
import { regularText } from "../node/files/regular-file.ts";
import { findProgram } from "../node/process/find-program.ts";
import { isRunOnce, keptFolder } from "./kept-program.ts";

const MOST_BYTES = 1_000_000;

export interface CalledProgram {
  readonly found?: string;
  /** Found only because npm, which runs us, put the project's programs on the PATH. */
  readonly only_npm?: string;
}

/** The program that agents call when they are started from a shell. */
export function calledProgram(cwd: string, environment: NodeJS.ProcessEnv): CalledProgram {
  const installed = installedProgram(cwd, environment);
  const found = installed ?? findProgram(join(keptFolder(environment), "tenterhook"), cwd, environment);
  if (found !== undefined) return { found };
  const only_npm = findProgram("tenterhook", cwd, environment);
  return only_npm === undefined ? {} : { only_npm };
}

/** The program on the PATH, but for what npm, which runs us, has put there, and what is deleted some day. */
export function installedProgram(cwd: string, environment: NodeJS.ProcessEnv): string | undefined {
  const isByNpm = environment.npm_execpath !== undefined;
  const PATH = environment.PATH?.split(delimiter)
    .filter((folder) => !(isByNpm && /node_modules[\\/]\.bin$/.test(folder)) && !isRunOnce(folder))
    .join(delimiter);
  const found = findProgram("tenterhook", cwd, { ...environment, PATH });
  return found === undefined || isRunOnce(realPath(found) ?? found) ? undefined : found;
}

/**
 * True when the project depends on our package and has it where npm puts it, or will have it there: `npm install` has not
 * run yet. What is written for the team must not depend on that. Never throws.
 */
export function callsOwnCopy(root: string): boolean {
  const isNew = ["node_modules", ".pnp.cjs"].every((name) => !existsSync(join(root, name)));
  if (!isNew && !existsSync(join(root, PROJECT_PROGRAM))) return false;
  const manifest = parseJson(regularText(join(root, "package.json"), MOST_BYTES) ?? "");
  const sections = isRecord(manifest) ? [manifest.dependencies, manifest.devDependencies] : [];
  return sections.some((section) => isRecord(section) && Object.hasOwn(section, "tenterhook"));
}

export const ONLY_NPM =
  "Agents that are started from a shell will not find tenterhook; only npm finds it here. Install it globally: npm install -g tenterhook.";

/** Login shells start all kinds of things. */
const LOGIN_MILLISECONDS = 20_000;

/** Why an agent that starts hooks in a login shell would not find our program; `undefined` when it would. Never rejects. */
export async function unfoundAtLogin(
  { loginShell, table }: Integration,
  environment: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  if (loginShell !== true) return undefined;
  const options = { env: environment, timeout: LOGIN_MILLISECONDS };
  const isFound = await promisify(execFile)("bash", ["-lc", `${FIND}; command -v tenterhook`], options).then(
    () => true,
    () => false,
  );
  if (isFound) return undefined;
  return `${table.title} starts hooks in a login shell, which does not find tenterhook, so everything is refused. Add its folder to the PATH in ~/.profile or ~/.bash_profile.`;
}
