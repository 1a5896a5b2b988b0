import { installedProgram } from "../../install/called-program.ts";
import { programVersion } from "../../install/found-agents.ts";
import { continueIn, keepProgram, packagesRunOnce } from "../../install/kept-program.ts";
import { PACKAGE_VERSION } from "../../node/package-version.ts";
import type { Invocation } from "./command.ts";
import { dim, shortPath } from "./screen/text.ts";
import { usageError } from "./usage-error.ts";

/**
 * Has a program that stays do the same, where npx or the like runs this one and deletes it some day: agents will call it.
 *
 * @returns its exit code; `undefined` where this one stays.
 * @throws TenterhookError `usage_error`, `state_unwritable`.
 */
export async function continueWhereItStays(
  args: readonly string[],
  options: Invocation["options"],
  { cwd, environment, screen, signal }: Pick<Invocation, "cwd" | "environment" | "screen" | "signal">,
): Promise<number | undefined> {
  const packages = options.dryRun === true ? undefined : packagesRunOnce(environment);
  if (packages === undefined) return undefined;
  const installed = installedProgram(cwd, environment);
  if (installed !== undefined) {
    const version = await programVersion({ program: installed }, { cwd, environment, signal });
    if (version !== PACKAGE_VERSION && options.json !== true)
      screen.tell(
        dim(
          `The Tenterhook that is installed goes on (${version}), not this one (${PACKAGE_VERSION}): ${shortPath(installed, cwd)}. npm install -g tenterhook updates it.`,
        ),
      );
    return continueIn(installed, args, { cwd, environment, signal });
  }
  if (options.managed === true)
    throw usageError(
      "Every user of this machine needs Tenterhook.",
      "Install it first: sudo npm install -g tenterhook.",
    );
  const kept = await keepProgram(packages, environment);
  if (options.json !== true)
    screen.tell(dim(`Tenterhook is kept as ${shortPath(kept, cwd)}, where agents find it.`));
  return continueIn(kept, args, { cwd, environment, signal });
}
