import type { OpenDatabase } from "../../node/sqlite/open-database.ts";

type Value = string | number;

/** What all readers of the store ask. */
export interface Queries {
  /** The rows were written by us. */
  readonly all: <Row>(sql: string, ...values: readonly Value[]) => readonly Row[];
  /** The number of a name; an unused number if the name is unknown. */
  readonly idOf: (name: string) => number;
  /** The numbers of a project and of no project, or of all. */
  readonly projectsOf: (project: string | undefined) => readonly number[];
}

export function queriesIn({ prepared }: OpenDatabase): Queries {
  const all: Queries["all"] = (sql, ...values) => prepared(sql).all(...values);
  const idOf = (name: string): number =>
    all<{ id: number }>("SELECT id FROM names WHERE name = ?", name)[0]?.id ?? -1;
  return {
    all,
    idOf,
    projectsOf: (project) =>
      project === undefined
        ? all<{ project: number }>("SELECT project FROM projects").map((row) => row.project)
        : [idOf(project), 0],
  };
}
