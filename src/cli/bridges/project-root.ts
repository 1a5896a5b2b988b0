import { discover } from "../../config/find/discover.ts";
import { Inputs } from "../../config/find/inputs.ts";
import type { Invocation } from "../command-line/command.ts";

/** The folder of the project, found without reading its configuration: what is broken must not keep anybody here. */
export async function projectRoot({ cwd, environment }: Invocation): Promise<string> {
  const { root } = await discover({ cwd, environment }, new Inputs());
  return root;
}
