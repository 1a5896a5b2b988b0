import { builtin } from "./builtin.ts";

/** The home of the user this process runs for, as `os.homedir` says it; where a variable tells, without loading that. */
export function homeFolder(): string {
  const told = process.platform === "win32" ? undefined : process.env.HOME;
  return told ?? builtin.os.homedir();
}
