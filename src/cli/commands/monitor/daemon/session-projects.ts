import { existsSync } from "node:fs";
import { isAbsolute } from "node:path";
import type { NativePayload } from "../../../../adapters/adapter.ts";
import type { Bridge } from "../../../../adapters/bridge.ts";
import { realPath } from "../../../../node/files/real-path.ts";

const MOST_REMEMBERED = 1000;

/** The folder of a call. */
export function folderIn({ cwd }: NativePayload): string | undefined {
  return typeof cwd === "string" && isAbsolute(cwd) ? cwd : undefined;
}

interface Project {
  readonly folder: string;
  /** False for the first folder that was seen: the transcript, once it exists, knows better. */
  readonly isSure: boolean;
}

/**
 * The project of a call: the folder in which its agent was started, however far the agent has gone since. A session can
 * be resumed in another folder, with the same id and transcript; the agent's PWD is another one then. A project that
 * vanishes later stays the project: the agent must not leave its rules by moving it.
 */
export function sessionProjects(): (
  bridge: Bridge,
  payload: NativePayload,
  pwd: string | undefined,
) => Promise<string> {
  const known = new Map<string, Project>();
  return async (bridge, payload, pwd) => {
    const session = JSON.stringify([bridge.adapter.name, payload.session_id, pwd]);
    const before = known.get(session);
    const project = before?.isSure === true ? before : await projectOf(bridge, payload, pwd, before);
    known.delete(session);
    known.set(session, project);
    const [oldest] = known.keys();
    if (known.size > MOST_REMEMBERED && oldest !== undefined) known.delete(oldest);
    return project.folder;
  };
}

async function projectOf(
  bridge: Bridge,
  payload: NativePayload,
  pwd: string | undefined,
  before: Project | undefined,
): Promise<Project> {
  const here = folderIn(payload) ?? process.cwd();
  // A program may start the agent in another folder than its own, which PWD names then.
  const realFolder = pwd === undefined ? undefined : realPath(pwd);
  if (before === undefined && realFolder !== undefined && realFolder === realPath(here))
    return { folder: here, isSure: true };
  const started = await bridge.startedIn?.(payload);
  if (started !== undefined && existsSync(started)) return { folder: started, isSure: true };
  return before ?? { folder: here, isSure: false };
}
