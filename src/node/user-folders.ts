import { builtin } from "./builtin.ts";

/**
 * The user's home folder: an absolute `HOME` of the given variables or of this process, else what the system knows.
 * An empty or relative `HOME` is ignored: it would lead into whatever folder a program works in, where others put
 * files. For a user the system does not know, it is the root of the file system. Never throws.
 */
export function homeFolder(environment: NodeJS.ProcessEnv = process.env): string {
  const { isAbsolute, parse } = builtin.path;
  for (const { HOME } of [environment, process.env]) if (HOME !== undefined && isAbsolute(HOME)) return HOME;
  try {
    return builtin.os.userInfo().homedir;
  } catch {
    return parse(process.execPath).root;
  }
}

/** `$XDG_CACHE_HOME/tenterhook`, by default below the home folder. */
export function cacheFolder(environment: NodeJS.ProcessEnv = process.env): string {
  return userFolder(environment.XDG_CACHE_HOME, [".cache"], environment);
}

/** `$XDG_CONFIG_HOME/tenterhook`, by default below the home folder. */
export function configFolder(environment: NodeJS.ProcessEnv = process.env): string {
  return userFolder(environment.XDG_CONFIG_HOME, [".config"], environment);
}

/** `$XDG_STATE_HOME/tenterhook`, by default below the home folder. */
export function stateFolder(environment: NodeJS.ProcessEnv = process.env): string {
  return userFolder(environment.XDG_STATE_HOME, [".local", "state"], environment);
}

function userFolder(base: string | undefined, inHome: readonly string[], environment: NodeJS.ProcessEnv) {
  const { isAbsolute, join } = builtin.path;
  // The XDG rules say that a relative value is not to be used.
  const folder = base !== undefined && isAbsolute(base) ? base : join(homeFolder(environment), ...inHome);
  return join(folder, "tenterhook");
}

/** A path relative to the working folder, the project or the home folder. */
export function shortPath(path: string, folder: string): string {
  const { isAbsolute, relative } = builtin.path;
  const from = relative(folder, path);
  if (from !== "" && !from.startsWith("..") && !isAbsolute(from)) return from;
  return pathFromHome(path);
}

/** A path as people write it: `~/code/shop`. */
export function pathFromHome(path: string): string {
  const home = homeFolder();
  return path === home || path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}
