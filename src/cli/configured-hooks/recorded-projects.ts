import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { JournalRecord } from "../../journal/record.ts";
import { realPath } from "../../node/files/real-path.ts";

/** What a project's folder has. */
const MARKS = [".tenterhook", ".git"];

/** Finds the projects of folders: the nearest folder above with a configuration or a repository, else the folder itself. */
export function projectFinder(): (folder: string) => string {
  const known = new Map<string, string>();
  return (folder) => {
    const project = known.get(folder) ?? projectOf(realPath(folder) ?? folder);
    known.set(folder, project);
    return project;
  };
}

function projectOf(folder: string): string {
  for (let root = folder; ; root = dirname(root)) {
    if (MARKS.some((mark) => existsSync(join(root, mark)))) return root;
    if (dirname(root) === root) return folder;
  }
}

/** The project of each record. A record without a working folder belongs to the decision before it. */
export function recordedProjects(): (record: JournalRecord) => string | undefined {
  const find = projectFinder();
  const ofEvent = new Map<string, string>();
  return ({ event, event_id, session_id }) => {
    const key = JSON.stringify([session_id, event_id]);
    const project = typeof event.cwd === "string" ? find(event.cwd) : ofEvent.get(key);
    if (project !== undefined) ofEvent.set(key, project);
    return project;
  };
}

/** The records of the project that a folder belongs to, and those of which nobody knows where they belong. */
export async function* recordsOfProject(
  records: AsyncIterable<JournalRecord>,
  folder: string,
): AsyncGenerator<JournalRecord> {
  const project = projectFinder()(folder);
  const projectOfRecord = recordedProjects();
  for await (const record of records) if ((projectOfRecord(record) ?? project) === project) yield record;
}
