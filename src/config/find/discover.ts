import { realpath } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import { isRecord } from "../../core/base/json.ts";
import type { SCOPES } from "../../core/registration/hook.ts";
import { PLACES } from "../../node/places.ts";
import { configFolder } from "../../node/user-folders.ts";
import type { Inputs } from "../inputs/inputs.ts";
import { ConfigError, type Problem, type Warning } from "../parse/problem.ts";
import { systemReason } from "../parse/read-file.ts";
import { agentFolderOf } from "./agent-folder.ts";
import { type Findings, kindOf, namesIn, spelledFile, warnOfNearNames } from "./find-files.ts";

/** A scope that has files. */
export type FileScope = Exclude<(typeof SCOPES)[number], "code">;

/** A file to read. */
export interface Source {
  readonly scope: FileScope;
  readonly file: string;
  /** The folder its scripts and commands start in. */
  readonly root: string;
}

export interface Places {
  /** The folder the agent works in; the project's files are found by walking up from it. */
  readonly cwd: string;
  /** The folder the agent was started for: the files of its project always count. Default: `cwd`. */
  readonly project?: string;
  /** The environment with HOME and the XDG variables. Default: this process's. */
  readonly environment?: NodeJS.ProcessEnv;
  /** Default `/etc/tenterhook/hooks.yaml`; on macOS and Windows the folder for it there. */
  readonly managedFile?: string;
}

/** The owner of files, and their folder. */
export interface UnitPlace {
  readonly kind: "managed" | "user" | "project";
  /** For a project its real path, otherwise the folder of the file. */
  readonly root: string;
}

/** The files of one unit in order of precedence. */
export interface FoundUnit extends UnitPlace {
  readonly sources: readonly Source[];
  /** The folder of scripts, unless it is empty. */
  readonly scripts?: string;
  readonly problems: readonly Problem[];
  readonly warnings: readonly Warning[];
}

/** The units in order of precedence, outer projects first. */
export interface Discovered {
  readonly units: readonly FoundUnit[];
  /** The folder the agent works in, links followed. */
  readonly cwd: string;
  /** The nearest project's root; without one, the folder with `.agent/hook.toml`, or else the working folder. */
  readonly root: string;
  /** The folder whose `.agent/hook.toml` counts. */
  readonly agent_folder?: string;
  /** The real path of every folder in which a project was looked for. */
  readonly folders: readonly string[];
  /** Warnings that belong to no unit. */
  readonly warnings: readonly Warning[];
}

const MANAGED_FILE = PLACES.managedConfig;
const FOLDER = ".tenterhook";
const PROJECT_FILES = [
  ["project", "hooks"],
  ["local", "hooks.local"],
] as const;

/**
 * Finds the configuration files of all scopes; the projects' by walking up from the working folder, and from the folder
 * of the agent's project, links followed, to the root of the repository. Every folder on the way counts: none can hide
 * another, and an agent that changes into another repository takes its project's configuration along.
 *
 * @throws ConfigError `config_unreadable` when one of the folders is not there.
 */
export async function discover(places: Places, inputs: Inputs): Promise<Discovered> {
  const { managedFile = MANAGED_FILE, environment } = places;
  const own = async (kind: "managed" | "user", folder: string, stem: string): Promise<FoundUnit> => {
    const findings = { problems: [], warnings: [], inputs };
    const file = spelledFile(folder, await namesIn(folder, findings), stem, findings);
    const sources = file === undefined ? [] : [{ scope: kind, file, root: folder }];
    return { kind, root: folder, sources, problems: findings.problems, warnings: findings.warnings };
  };
  const managed = await own("managed", dirname(managedFile), basename(managedFile, extname(managedFile)));
  const user = await own("user", configFolder(environment), "hooks");
  inputs.see("real", places.cwd);
  const cwd = await realFolder(places.cwd);
  const around = await projectFolders(cwd, inputs);
  const others = await agentFolders(places, inputs);
  const beyond = others.filter(({ root }) => around.every((folder) => folder.root !== root));
  const folders = [...beyond, ...around];
  const projects = folders.filter(
    ({ sources, scripts, problems }) => sources.length > 0 || scripts !== undefined || problems.length > 0,
  );
  const agentFolder = agentFolderOf(cwd, (file) => inputs.see("file", file));
  return {
    units: [managed, user, ...projects],
    cwd,
    root: projects.at(-1)?.root ?? agentFolder ?? cwd,
    ...(agentFolder === undefined ? {} : { agent_folder: agentFolder }),
    folders: folders.map(({ root }) => root),
    warnings: folders.flatMap((folder) => (projects.includes(folder) ? [] : folder.warnings)),
  };
}

async function agentFolders({ cwd, project }: Places, inputs: Inputs): Promise<readonly FoundUnit[]> {
  if (project === undefined || project === cwd) return [];
  inputs.see("real", project);
  return projectFolders(await realFolder(project), inputs);
}

async function projectFolders(cwd: string, inputs: Inputs): Promise<readonly FoundUnit[]> {
  const found: FoundUnit[] = [];
  for (let root = cwd; ; root = dirname(root)) {
    found.unshift(await projectFolder(root, inputs));
    inputs.see("presence", join(root, ".git"));
    if (dirname(root) === root || (await kindOf(join(root, ".git"))) !== undefined) return found;
  }
}

async function projectFolder(root: string, inputs: Inputs): Promise<FoundUnit> {
  const findings: Findings = { problems: [], warnings: [], inputs };
  const folder = join(root, FOLDER);
  const names = await namesIn(folder, findings);
  if (names.length === 0 && (await kindOf(folder)) === "file") {
    findings.problems.push({
      code: "config_unreadable",
      file: folder,
      message: `This is a file; a folder with hooks.yaml in it was expected.`,
    });
  }
  const sources = PROJECT_FILES.flatMap(([scope, stem]): Source[] => {
    const file = spelledFile(folder, names, stem, findings);
    return file === undefined ? [] : [{ scope, file, root }];
  });
  warnOfNearNames(
    folder,
    names,
    PROJECT_FILES.map(([, stem]) => stem),
    findings,
  );
  const scripts = join(folder, "hooks");
  const hasScripts = names.includes("hooks") && (await namesIn(scripts, findings)).length > 0;
  const { problems, warnings } = findings;
  return { kind: "project", root, sources, ...(hasScripts ? { scripts } : {}), problems, warnings };
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
