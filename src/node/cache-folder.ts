import { builtin } from "./builtin.ts";
import { homeFolder } from "./home-folder.ts";

/** Where this user's caches are kept: `$XDG_CACHE_HOME/tenterhook`, by default below the home. */
export function cacheFolder(environment: NodeJS.ProcessEnv = process.env): string {
  const { isAbsolute, join } = builtin.path;
  const base = environment.XDG_CACHE_HOME;
  // The XDG rules say that a relative value is not to be used.
  return join(
    base !== undefined && isAbsolute(base) ? base : join(homeFolder(environment), ".cache"),
    "tenterhook",
  );
}
