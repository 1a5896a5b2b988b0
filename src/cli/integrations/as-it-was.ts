import type { Invocation } from "../command-line/command.ts";
import { dim, shortPath } from "../command-line/screen/text.ts";

/** The lines that say where a file is as it was before. */
export function asItWas(
  { cwd }: Pick<Invocation, "cwd">,
  ...backups: readonly (string | undefined)[]
): readonly string[] {
  return backups.flatMap((backup) =>
    backup === undefined ? [] : [dim(`  backup: ${shortPath(backup, cwd)}`)],
  );
}
