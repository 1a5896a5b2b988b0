import { existsSync } from "node:fs";
import { Inputs } from "../../config/find/inputs.ts";
import { filesOfDefinition } from "../../config/trust/named-files.ts";
import type { Config, ConfigDefinition } from "../../config.ts";

/** A file that a definition names. */
export interface NamedFile {
  readonly file: string;
  readonly there: boolean;
}

/** The files a definition runs: scripts, modules and what its commands name; those inside a composition too. */
export function namedFiles({ definition, root }: ConfigDefinition, { trust }: Config): readonly NamedFile[] {
  const files = filesOfDefinition(definition, { root, project: trust.root, inputs: new Inputs() }) ?? [];
  return files.map((file) => ({ file, there: existsSync(file) }));
}
