import { existsSync } from "node:fs";
import { nearestFolder } from "../node/files/folders.ts";
import { type DecodedPayload, decodePayload } from "./decode-payload.ts";

export interface NativeCall extends DecodedPayload {
  /** Where its configuration is looked for. */
  readonly places: {
    readonly cwd: string;
    readonly project?: string;
    readonly environment: NodeJS.ProcessEnv;
  };
}

/**
 * Recognises the agent that sent a payload, and makes our event of it.
 *
 * @param startFolder the folder in which the agent started the hook.
 * @throws Error when the text is not an object in JSON, gives a key twice or is no event of the agent.
 */
export async function readPayload(
  text: string,
  environment: NodeJS.ProcessEnv,
  startFolder: string | undefined,
): Promise<NativeCall> {
  const { adapter, event } = await decodePayload(text, environment, startFolder ?? "/");
  const project = environment[adapter.projectVariable ?? ""];
  return { adapter, event, places: { ...placesOf(event.cwd, project, startFolder), environment } };
}

/**
 * Where the configuration is looked for. A session may go on in a folder that was deleted, such as a removed worktree:
 * then the agent's project counts, else the folder in which the hook was started. Without them no hook of the project
 * would be asked.
 */
function placesOf(cwd: string, project: string | undefined, startFolder: string | undefined) {
  if (existsSync(cwd)) return { cwd, ...(project ? { project } : {}) };
  const known = [project, startFolder].find((folder) => folder && existsSync(folder));
  return { cwd: nearestFolder(cwd), project: known };
}
