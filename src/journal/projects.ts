import { existsSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { realPath } from "../node/files/real-path.ts";
import type { JournalRecord } from "./record.ts";

/** What a project's folder has. */
const MARKS = [".tenterhook", ".git"];
/** Of so many events the project is remembered: records of one event come soon after each other. */
const MOST_EVENTS = 10_000;

/**
 * The project of a folder: the nearest folder above with a configuration or a repository, else the folder itself. A
 * folder of another machine, such as `laptop:/home/anna/shop`, is its own project.
 */
export function projectOf(folder: string): string {
  if (!isAbsolute(folder)) return folder;
  const start = realPath(folder) ?? folder;
  for (let root = start; ; root = dirname(root)) {
    if (MARKS.some((mark) => existsSync(join(root, mark)))) return root;
    if (dirname(root) === root) return start;
  }
}

/** The project of each record. A record without a working folder belongs to the decision before it. */
export function recordedProjects(): (record: JournalRecord) => string | undefined {
  const known = new Map<string, string>();
  const ofEvent = new Map<string, string>();
  const find = (folder: string): string => {
    const project = known.get(folder) ?? projectOf(folder);
    known.set(folder, project);
    return project;
  };
  return ({ event, event_id, session_id }) => {
    const key = JSON.stringify([session_id, event_id]);
    const project = typeof event.cwd === "string" ? find(event.cwd) : ofEvent.get(key);
    if (ofEvent.size > MOST_EVENTS) ofEvent.clear();
    if (project !== undefined) ofEvent.set(key, project);
    return project;
  };
}
