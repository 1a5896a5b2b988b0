import type { CommandRow } from "../../command-line/command.ts";

export const TEAM_COMMANDS: readonly CommandRow[] = [
  {
    name: "database",
    completes: [[["status", "migrate"]], []],
    arguments: [["[action]", "status (default) or migrate."]],
    summary: "Look at the PostgreSQL database that machines share, and bring its tables up to date.",
    details:
      "The database is named by TENTERHOOK_DATABASE_URL, or by monitor.database in your own file. Tables that do not exist are created with their first use. Those of an earlier version are refused until migrate has changed them, because machines with an earlier Tenterhook can't use them afterwards.",
    examples: [
      ["tenterhook database status", "is it there, and which versions do its tables have"],
      ["tenterhook database migrate", "after Tenterhook was updated on every machine"],
    ],
    load: () => import("./database.ts"),
  },
];
