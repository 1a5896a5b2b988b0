import { builtin } from "./builtin.ts";
import { homeFolder } from "./home-folder.ts";

/** Where this user's configuration is kept: `$XDG_CONFIG_HOME/tenterhook`, by default below the home. */
export function configFolder(environment: NodeJS.ProcessEnv = process.env): string {
  const { isAbsolute, join } = builtin.path;
  const base = environment.XDG_CONFIG_HOME;
  // The XDG rules say that a relative value is not to be used.
  return join(
    base !== undefined && isAbsolute(base) ? base : join(homeFolder(environment), ".config"),
    "tenterhook",
  );
}
