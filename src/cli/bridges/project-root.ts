import { discover } from "../../config/discover.ts";
import { Inputs } from "../../config/inputs.ts";
import type { Invocation } from "../command.ts";

/** The folder of the project, found without reading its configuration: what is broken must not keep anybody here. */
export async function projectRoot({ cwd, environment }: Invocation): Promise<string> {
  const unheard = { problems: [], warnings: [], inputs: new Inputs() };
  const found = await discover({ cwd, environment }, unheard);
  return found.project?.root ?? found.cwd;
}
