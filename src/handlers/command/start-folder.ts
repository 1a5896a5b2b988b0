import { statSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { firstScript } from "../../node/process/first-script.ts";
import type { Command } from "./command-call.ts";

/** A command, and what decides where it starts. */
export interface Starting {
  readonly command: Command;
  readonly payload: "native" | "tenterhook" | undefined;
  readonly owner: "user" | "project" | undefined;
  readonly root: string;
  /** The project that the agent works on. */
  readonly project: () => string;
  /** The variables that the definition sets. */
  readonly set: Readonly<Record<string, string>>;
  readonly normalisePath: (path: string, cwd: string) => string;
}

/** The folder of every start; `undefined` when that depends on the folder of the session. */
export function fixedFolder({ payload, owner, root }: Starting): string | undefined {
  return payload === "native" || owner === "user" ? undefined : root;
}

/**
 * Where a command starts when the session works in `given`. An agent starts its hooks there, and so do we, unless a
 * relative name would then lead to another file than the one that was meant: for a hook of the user the file next to his
 * configuration, for a hook of a project the script that was trusted. If the folder was deleted, Claude Code starts its
 * hooks in the project.
 */
export function startFolder(starting: Starting, given: string): string {
  const { command, payload, owner, root, set, project, normalisePath } = starting;
  const fixed = fixedFolder(starting);
  if (fixed !== undefined) return fixed;
  const cwd = payload === "native" && kindOf(given) !== "folder" ? project() : given;
  if ((payload === "native" && owner !== "project") || normalisePath(cwd, "/") === root) return cwd;
  const words = command.kind === "shell" ? command.line : [command.file, ...command.args];
  const script = firstScript(words, root, { ...set, PWD: "." });
  const isRelative = script !== undefined && !isAbsolute(script.path);
  if (owner === "project") return isRelative ? root : cwd;
  return isRelative && kindOf(resolve(root, script.path)) === "file" ? root : cwd;
}

function kindOf(path: string): "file" | "folder" | undefined {
  try {
    const status = statSync(path, { throwIfNoEntry: false });
    return status === undefined ? undefined : status.isDirectory() ? "folder" : "file";
  } catch {
    return undefined;
  }
}
