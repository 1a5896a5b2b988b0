import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import {
  existsSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { cp } from "node:fs/promises";
import { join, relative } from "node:path";
import { KEPT_FOLDER } from "../adapters/settings/hook-command.ts";
import { errorMessage } from "../core/base/error-text.ts";
import { TenterhookError } from "../core/base/errors.ts";
import { makePrivateFolder } from "../node/files/folders.ts";
import { PACKAGE_VERSION } from "../node/package-version.ts";
import { SYSTEM } from "../node/system.ts";
import { stateFolder } from "../node/user-folders.ts";

/** Where npx, pnpm dlx, bunx and yarn dlx put what they run once: `…/_npx/4f1c/node_modules`. */
const RUN_ONCE = /^.*?[\\/](?:_npx|dlx|dlx-\d+|bunx-[^\\/]+)[\\/](?:.*?[\\/])?node_modules(?=[\\/])/;

/** The packages among which a program runs that is deleted some day; `undefined` for one that was installed. */
export function packagesRunOnce(
  environment: NodeJS.ProcessEnv,
  script = process.argv[1] ?? "",
): string | undefined {
  if (!SYSTEM.posixShell || environment[STAYS] !== undefined) return undefined;
  return RUN_ONCE.exec(script)?.[0];
}

/** True for a path in such a folder. */
export function isRunOnce(path: string): boolean {
  return RUN_ONCE.test(join(path, "/"));
}

/** Where our program is kept for somebody who has not installed it. The commands in agents' settings look here last. */
export function keptFolder(environment: NodeJS.ProcessEnv): string {
  return join(stateFolder(environment), KEPT_FOLDER);
}

/**
 * Keeps these packages, which are there only for now, and has agents call our program among them. One version before stays:
 * a daemon may run from it.
 *
 * @returns the program.
 * @throws TenterhookError `state_unwritable`.
 */
export async function keepProgram(packages: string, environment: NodeJS.ProcessEnv): Promise<string> {
  const folder = keptFolder(environment);
  const version = join(folder, PACKAGE_VERSION);
  const program = join(folder, "tenterhook");
  try {
    makePrivateFolder(folder);
    if (!existsSync(version)) await copyWhole(packages, version);
    const script = relative(realpathSync(packages), realpathSync(process.argv[1] ?? ""));
    const before = existsSync(program) ? readlinkSync(program).split("/")[0] : undefined;
    const link = `${program}.${randomUUID()}`;
    symlinkSync(join(PACKAGE_VERSION, "node_modules", script), link);
    renameSync(link, program);
    if (before !== PACKAGE_VERSION)
      for (const name of readdirSync(folder))
        if (isVersion(name) && name !== PACKAGE_VERSION && name !== before)
          rmSync(join(folder, name), { recursive: true, force: true });
    return program;
  } catch (cause) {
    throw new TenterhookError("state_unwritable", `${folder} can't be written: ${errorMessage(cause)}.`, {
      hint: "Install Tenterhook instead: npm install -g tenterhook.",
      cause,
    });
  }
}

/** Not a copy that is being made: that has a longer name. */
function isVersion(name: string): boolean {
  return /^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(name);
}

/** Nobody sees half a copy. */
async function copyWhole(packages: string, version: string): Promise<void> {
  const partial = `${version}.${randomUUID()}`;
  await cp(packages, join(partial, "node_modules"), { recursive: true, verbatimSymlinks: true });
  try {
    renameSync(partial, version);
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    // Another process was faster.
    if (!existsSync(version)) throw error;
  }
}

/** Says that this program was handed over to, and hands over to no other. */
const STAYS = "TENTERHOOK_STAYS";

/** Runs our program in another place with the terminal of this process. Returns its exit code. */
export async function continueIn(
  program: string,
  args: readonly string[],
  {
    cwd,
    environment,
    signal,
  }: { readonly cwd: string; readonly environment: NodeJS.ProcessEnv; readonly signal: AbortSignal },
): Promise<number> {
  const env = { ...environment, [STAYS]: "1" };
  const child = spawn(program, args, { cwd, env, stdio: "inherit", signal });
  const [code]: readonly unknown[] = await once(child, "close");
  return typeof code === "number" ? code : 1;
}
