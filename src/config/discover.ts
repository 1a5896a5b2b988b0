import { realpath, stat } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import type { SCOPES } from "../core/hook.ts";
import { isRecord } from "../core/json.ts";
import { configFolder } from "../node/config-folder.ts";
import { type Findings, namesIn, spelledFile, warnOfNearNames } from "./find-files.ts";
import { ConfigError } from "./problem.ts";
import { systemReason } from "./read-file.ts";

/** Where a hook of a file can come from. */
export type FileScope = Exclude<(typeof SCOPES)[number], "code">;

/** A file to read. */
export interface Source {
  readonly scope: FileScope;
  readonly file: string;
  /** Where its scripts and commands start. */
  readonly root: string;
}

/** Where to look. */
export interface Places {
  readonly cwd: string;
  readonly environment?: NodeJS.ProcessEnv;
  readonly managedFile?: string;
}

/** What was found: files in the order of their scopes, and the folder of scripts. */
export interface Discovered {
  readonly sources: readonly Source[];
  /** The folder the agent works in, links followed. */
  readonly cwd: string;
  readonly project?: { readonly root: string; readonly scripts?: string };
}

const MANAGED_FILE = "/etc/tenterhook/hooks.yaml";
const FOLDER = ".tenterhook";
const STEMS = ["hooks", "hooks.local"] as const;

/**
 * Finds the configuration files of all scopes; the project's by walking up from the working folder, links followed, to
 * the root of the repository. The nearest folder counts; others on the way are warned of.
 *
 * @throws ConfigError `config_unreadable` when the working folder is not there.
 */
export async function discover(places: Places, findings: Findings): Promise<Discovered> {
  const { managedFile = MANAGED_FILE, environment } = places;
  const own = async (scope: FileScope, folder: string, stem: string): Promise<Source[]> => {
    const file = spelledFile(folder, await namesIn(folder, findings), stem, findings);
    return file === undefined ? [] : [{ scope, file, root: folder }];
  };
  const outside = [
    ...(await own("managed", dirname(managedFile), basename(managedFile, extname(managedFile)))),
    ...(await own("user", configFolder(environment), "hooks")),
  ];
  findings.inputs.see("real", places.cwd);
  const cwd = await realFolder(places.cwd);
  const [project, ...hidden] = await projectFolders(cwd, findings);
  if (project === undefined) return { sources: outside, cwd };
  const { root, folder, names } = project;
  for (const { folder: other } of hidden) {
    findings.warnings.push({
      file: other,
      message: `This folder is not read, because ${folder} is nearer. To read both, name its file under use there.`,
    });
  }
  const [shared, local] = STEMS.map((stem) => spelledFile(folder, names, stem, findings));
  warnOfNearNames(folder, names, STEMS, findings);
  return {
    sources: [
      ...outside,
      ...(shared === undefined ? [] : [{ scope: "project" as const, file: shared, root }]),
      ...(local === undefined ? [] : [{ scope: "local" as const, file: local, root }]),
    ],
    cwd,
    project: { root, ...(names.includes("hooks") ? { scripts: join(folder, "hooks") } : {}) },
  };
}

interface ProjectFolder {
  readonly root: string;
  readonly folder: string;
  readonly names: readonly string[];
}

/** The folders with a configuration, the nearest first. */
async function projectFolders(cwd: string, findings: Findings): Promise<readonly ProjectFolder[]> {
  const found: ProjectFolder[] = [];
  let root = cwd;
  for (;;) {
    const folder = join(root, FOLDER);
    const names = await namesIn(folder, findings);
    const isFile = names.length === 0 && (await kindOf(folder)) === "file";
    if (isFile) {
      findings.problems.push({
        code: "config_unreadable",
        file: folder,
        message: `This is a file; a folder with hooks.yaml in it was expected.`,
      });
    }
    if (names.some((name) => /^hooks(\.|$)/.test(name))) found.push({ root, folder, names });
    const parent = dirname(root);
    findings.inputs.see("presence", join(root, ".git"));
    if (parent === root || (await kindOf(join(root, ".git"))) !== undefined) return found;
    root = parent;
  }
}

async function realFolder(cwd: string): Promise<string> {
  try {
    return await realpath(cwd);
  } catch (error) {
    const isGone = isRecord(error) && error.code === "ENOENT";
    const message = isGone ? "There is no such folder." : systemReason(error);
    throw new ConfigError([{ code: "config_unreadable", file: cwd, message }]);
  }
}

async function kindOf(path: string): Promise<"file" | "folder" | undefined> {
  const status = await stat(path).catch(() => undefined);
  return status === undefined ? undefined : status.isDirectory() ? "folder" : "file";
}
