import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import type { Integration } from "../../adapters/integration.ts";
import { PROJECT_PROGRAM } from "../../adapters/settings/agent-settings.ts";
import { orElse } from "../../hook/installed/settings-files.ts";
import { shortenTimeouts } from "./complete-entries.ts";
import type { Throwaway } from "./throwaway.ts";

/** How an agent is started for a scenario that can't share a run with others. */
export interface Start {
  /** The folder that it starts in, below the project's. Default: the project's. */
  readonly folder?: string;
  /** A script in the place of our program; `false` when it is gone. */
  readonly program?: string | false;
  /** How many seconds the agent waits for us. Default: as in its settings. */
  readonly seconds?: number;
}

/** Changes a throw-away folder so that the agent starts there in this way. */
export function prepareStart(
  { folder, program, seconds }: Start,
  integration: Integration,
  throwaway: Throwaway,
): Throwaway & { readonly cwd: string } {
  const { places } = throwaway;
  const cwd = join(places.root, folder ?? "");
  mkdirSync(cwd, { recursive: true });
  if (seconds !== undefined) shortenTimeouts(integration, places, seconds);
  if (program === undefined) return { ...throwaway, cwd };
  const PATH = withProgram(program, throwaway);
  const environment = { ...throwaway.environment, PATH };
  return { ...throwaway, cwd, environment, places: { ...places, environment } };
}

/** A PATH with all that is on the PATH but our program, and with this one in its place. */
function withProgram(script: string | false, { places, environment, folder }: Throwaway): string {
  const [programs, own] = [join(folder, "programs"), join(places.root, PROJECT_PROGRAM)];
  mkdirSync(programs);
  const isOwn = existsSync(own);
  rmSync(own, { force: true });
  if (script !== false)
    for (const file of [join(programs, "tenterhook"), ...(isOwn ? [own] : [])]) {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, script, { mode: 0o755 });
    }
  const folders = (environment.PATH ?? "").split(delimiter).map((one, at) => {
    if (!existsSync(join(one, "tenterhook"))) return one;
    const copy = join(folder, `path-${at}`);
    mkdirSync(copy);
    for (const name of orElse([], () => readdirSync(one)))
      if (name !== "tenterhook") symlinkSync(join(one, name), join(copy, name));
    return copy;
  });
  return [programs, ...folders].join(delimiter);
}
