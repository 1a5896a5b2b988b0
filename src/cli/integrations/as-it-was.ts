import type { Invocation } from "../command-line/command.ts";
import { shortPath } from "../command-line/screen/text.ts";

/** The lines that say where a file is as it was before. */
export function asItWas(
  { screen, cwd }: Pick<Invocation, "screen" | "cwd">,
  ...backups: readonly (string | undefined)[]
): readonly string[] {
  return backups.flatMap((backup) =>
    backup === undefined ? [] : [screen.paint.dim(`  backup: ${shortPath(backup, cwd)}`)],
  );
}
