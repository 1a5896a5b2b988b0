import { builtin } from "./builtin.ts";

/**
 * The home of the user: `HOME` where that is a whole path, of the given variables or of this process, else what the system
 * knows of the user. A `HOME` that is empty or relative would lead into whatever folder a program works in, where others
 * put files. For a user whom the system does not know it is the root of the file system. Never throws.
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
