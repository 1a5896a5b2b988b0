/** The steps from each version to the next. Never change one that was released; add another. */
export const MIGRATIONS: readonly string[] = [
  `CREATE TABLE agents (
     agent TEXT PRIMARY KEY, session TEXT NOT NULL, parent TEXT, status TEXT NOT NULL, cwd TEXT, title TEXT NOT NULL,
     created TEXT NOT NULL, updated TEXT NOT NULL, metadata TEXT NOT NULL
   ) STRICT;
   CREATE INDEX agents_by_creation ON agents (created, agent);
   CREATE INDEX agents_by_session ON agents (session);
   CREATE INDEX agents_by_parent ON agents (parent);
   CREATE TABLE entries (
     seq INTEGER PRIMARY KEY AUTOINCREMENT, agent TEXT NOT NULL, message TEXT, json TEXT NOT NULL
   ) STRICT;
   CREATE INDEX entries_by_agent ON entries (agent, seq);
   CREATE UNIQUE INDEX entries_by_message ON entries (agent, message) WHERE message IS NOT NULL;
   CREATE TABLE inputs (
     seq INTEGER PRIMARY KEY AUTOINCREMENT, session TEXT NOT NULL, cwd TEXT, input TEXT NOT NULL
   ) STRICT;`,
  "CREATE TABLE claims (agent TEXT PRIMARY KEY, claim TEXT NOT NULL) STRICT;",
];
