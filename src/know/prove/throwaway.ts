import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, relative } from "node:path";
import type { Integration, SettingsPlaces } from "../../adapters/integration.ts";
import { PROJECT_PROGRAM } from "../../adapters/settings/hook-command.ts";
import { keptFolder } from "../../install/kept-program.ts";
import { orElse, readSettings } from "../../install/settings-files.ts";
import { configFolder } from "../../node/user-folders.ts";
import { copyFolder } from "./copy-folder.ts";
import type { Driver } from "./driver.ts";
import { copyOwnCode } from "./own-code.ts";
import type { Proven } from "./proof.ts";

/** A folder with a home and a project of its own, in which an agent is tried. */
export interface Throwaway {
  readonly folder: string;
  /** Like those of the person, in the folder. */
  readonly places: SettingsPlaces;
  readonly environment: NodeJS.ProcessEnv;
  remove(): void;
}

/** What of the person's variables a program needs to start. Everything else, keys first of all, stays outside. */
const KEPT = ["PATH", "SHELL", "USER", "LOGNAME", "LANG", "LC_ALL", "TZ", "SystemRoot"];

/** Makes the folder: the agent's settings as they are here, without credentials and history. */
export function makeThrowaway({
  driver,
  integration,
  real,
  mine,
}: Pick<Proven, "driver" | "integration" | "real" | "mine">): Throwaway {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "tenterhook-prove-")));
  const home = join(folder, "home");
  // Below the same folders as in reality: agents trust a folder with all below it.
  const [settings = "", copied = ""] = [real, { root: "", home, environment: {} }].map((one) =>
    dirname(integration.settingsFile("user", one)),
  );
  const moved = (path: string): string => {
    const inSettings = relative(settings, path);
    if (!inSettings.startsWith("..")) return join(copied, inSettings);
    const below = relative(real.home, path);
    return below.startsWith("..") ? join(folder, "elsewhere", path) : join(home, below);
  };
  const root = moved(real.root);
  const environment: NodeJS.ProcessEnv = {
    ...Object.fromEntries(
      [...KEPT, ...(integration.switches?.variables ?? [])].flatMap((name) => {
        const value = real.environment[name];
        return value === undefined ? [] : [[name, value]];
      }),
    ),
    // The commands in the settings look for a kept program below a state folder that is another one here.
    PATH: [real.environment.PATH ?? "/usr/local/bin:/usr/bin:/bin", keptFolder({ ...real.environment })].join(
      delimiter,
    ),
    HOME: home,
    XDG_CONFIG_HOME: join(folder, "config"),
    XDG_STATE_HOME: join(folder, "state"),
    XDG_CACHE_HOME: join(folder, "cache"),
    TMPDIR: join(folder, "tmp"),
    TENTERHOOK_DAEMON: "0",
    // Nothing leaves this machine.
    HTTP_PROXY: "http://127.0.0.1:9",
    HTTPS_PROXY: "http://127.0.0.1:9",
    NO_PROXY: "127.0.0.1,localhost",
  };
  const places: SettingsPlaces = { root, home, environment };
  for (const path of [home, root, join(folder, "tmp"), join(folder, "config/tenterhook")])
    mkdirSync(path, { recursive: true });
  if (existsSync(join(real.root, ".git"))) makeRepository(root);
  for (const scope of ["user", "project"] as const)
    copySettings(
      driver,
      integration,
      [integration.settingsFile(scope, real), integration.settingsFile(scope, places)],
      moved,
    );
  copySeat(integration, [real, places], moved);
  if (mine !== undefined) Object.assign(environment, copyOwnCode(integration, [real, places], moved, mine));
  const own = join(real.root, PROJECT_PROGRAM);
  if (existsSync(own)) {
    mkdirSync(dirname(join(root, PROJECT_PROGRAM)), { recursive: true });
    symlinkSync(realpathSync(own), join(root, PROJECT_PROGRAM));
  }
  const removeAll = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  // A second Ctrl-C, or an agent that ends too slowly, ends the process before `remove` is called.
  process.once("exit", removeAll);
  return {
    folder,
    places,
    environment,
    remove: () => {
      process.off("exit", removeAll);
      removeAll();
    },
  };
}

/** Makes such a folder for a while. */
export async function inThrowaway<Result>(
  proven: Pick<Proven, "driver" | "integration" | "real" | "mine">,
  use: (folder: Throwaway) => Promise<Result>,
): Promise<Result> {
  const folder = makeThrowaway(proven);
  try {
    return await use(folder);
  } finally {
    folder.remove();
  }
}

/** As much of a repository as agents look for. */
function makeRepository(root: string): void {
  for (const name of ["objects", "refs/heads"]) mkdirSync(join(root, ".git", name), { recursive: true });
  writeFileSync(join(root, ".git/HEAD"), "ref: refs/heads/main\n");
}

function copySettings(
  driver: Driver,
  { settings }: Integration,
  [hooks, copied]: readonly [hooks: string, copied: string],
  moved: (path: string) => string,
): void {
  for (const name of driver.copied) {
    const [source, target] = [join(dirname(hooks), name), join(dirname(copied), name)];
    if (!existsSync(source)) continue;
    mkdirSync(dirname(copied), { recursive: true });
    if (statSync(source).isDirectory()) {
      copyFolder(source, target);
      continue;
    }
    const text = orElse(undefined, () => readSettings(source));
    // What the agent can't read stays unreadable.
    const isUnread =
      text === undefined || (source === hooks && orElse(true, () => settings.unread(text) !== undefined));
    writeFileSync(target, isUnread ? "{" : driver.copy(name, text, moved));
  }
}

/** Puts our plug-in first in the copy, too, where the user's settings have it first. */
function copySeat(
  integration: Integration,
  [real, places]: readonly [SettingsPlaces, SettingsPlaces],
  moved: (path: string) => string,
): void {
  const { lastGate } = integration;
  const [from, to] = [real, places].map((one) => integration.settingsFile("user", one));
  const seat = orElse(undefined, () => lastGate?.folderIn(readSettings(from ?? "")));
  if (lastGate === undefined || seat === undefined || to === undefined) return;
  if (existsSync(seat)) copyFolder(seat, moved(seat));
  const seated = orElse(undefined, () => lastGate.install(readSettings(to), moved(seat), false));
  // What the agent can't read stays unreadable.
  if (seated !== undefined) writeFileSync(to, seated);
}

/** Puts the person's own configuration into the folder: the user's and the project's. */
export function copyConfiguration(real: SettingsPlaces, { places, environment }: Throwaway): void {
  const pairs = [
    [configFolder({ ...real.environment }), configFolder(environment)],
    [join(real.root, ".tenterhook"), join(places.root, ".tenterhook")],
  ] as const;
  for (const [source, target] of pairs) if (existsSync(source)) copyFolder(source, target);
}
