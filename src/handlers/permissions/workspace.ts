import type { PermissionPorts } from "./permission-types.ts";

/** The folders an agent works in, with links followed and as written. */
export interface Workspace {
  /** True when a path is certainly in one of them, however it is read. */
  holds(path: string, cwd: string): boolean;
  /** A path and the folders above it, up to the workspace or to the root. */
  withFolders(path: string): readonly string[];
}

export function openWorkspace({ paths, workspace }: PermissionPorts): Workspace {
  const roots = new Set(workspace.flatMap((folder) => paths.spellings(folder, "/")));
  const isInside = (path: string) => [...roots].some((root) => path === root || isBelow(path, root));
  return {
    holds: (path, cwd) => !isUnproven(path) && paths.spellings(path, cwd).every(isInside),
    withFolders: (path) => {
      const found = [path];
      if (roots.has(path)) return found;
      for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
        const folder = path.slice(0, at);
        if (roots.has(folder)) break;
        found.push(folder);
      }
      return found;
    },
  };
}

export function isBelow(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}

/** A variable, a choice, or `..` after a wildcard. */
const UNPROVEN = /\$|\{.*,|[*?[].*\.\./s;

/** True for a path whose target is unknown. */
export function isUnproven(path: string): boolean {
  return UNPROVEN.test(path);
}

/** A path in which each unknown part is a wildcard; a variable at its beginning may be any folder. */
export function withVariables(path: string): string {
  if (!path.includes("$")) return path;
  const open = path.replaceAll(/\$(?:\{[^}]*\}|\([^)]*\)|\w+|.)?/gs, "**");
  return path.startsWith("$") ? `/${open}` : open;
}
