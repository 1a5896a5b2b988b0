import { join } from "node:path";
import { isRecord, parseJson } from "../core/base/json.ts";
import { writeAtomically } from "../node/files/atomic-write.ts";
import { makePrivateFolder } from "../node/files/folders.ts";
import { readOwnFile } from "../node/files/own-file.ts";
import { stateFolder } from "../node/user-folders.ts";

const MOST_BYTES = 100_000;

/** What `tenterhook prove` found last, by agent. */
export type Proofs = Readonly<Record<string, ProvenAgent>>;

export interface ProvenAgent {
  readonly time: string;
  readonly obeys: boolean;
  /** Of the agent. */
  readonly version?: string;
}

function proofsFile(environment: NodeJS.ProcessEnv): string {
  return join(stateFolder(environment), "proofs.json");
}

/** Never throws. */
export function readProofs(environment: NodeJS.ProcessEnv): Proofs {
  const value = parseJson(readOwnFile(proofsFile(environment), MOST_BYTES).text ?? "");
  if (!isRecord(value)) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([agent, one]) =>
      isRecord(one) && typeof one.time === "string" && typeof one.obeys === "boolean"
        ? [[agent, { time: one.time, obeys: one.obeys, ...versionIn(one) }]]
        : [],
    ),
  );
}

function versionIn({ version }: Readonly<Record<string, unknown>>): Pick<ProvenAgent, "version"> {
  return typeof version === "string" ? { version } : {};
}

/** Never rejects: a proof counts, also when it can't be remembered. */
export async function rememberProofs(environment: NodeJS.ProcessEnv, proofs: Proofs): Promise<void> {
  try {
    makePrivateFolder(stateFolder(environment));
    const all = { ...readProofs(environment), ...proofs };
    await writeAtomically(proofsFile(environment), `${JSON.stringify(all)}\n`);
  } catch {
    // The start screen then says that it was never proven.
  }
}
