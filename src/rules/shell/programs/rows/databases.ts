import type { ProgramRows } from "../program-row.ts";

/** `COPY … TO PROGRAM '…'`, which a database server gives to a shell. */
const TO_PROGRAM = /\bprogram\s+'([^']+)'/i;

/** Clients of databases. */
export const DATABASES: ProgramRows = {
  psql: {
    options: {
      values: "-c -f -h -p -U -d -o -v -F --command --file --host --port --username --dbname --output --set",
      same: "--command=-c --file=-f --host=-h --username=-U --dbname=-d",
    },
    access: { args: "-*", options: { "-f": "u", "-h": "h", "-o": "w" } },
    fetches: true,
    commandOptions: [
      ["-c", /^\s*\\!\s*(.+)$/s],
      ["-c", TO_PROGRAM],
    ],
    feedsCommands: true,
    database: "sql",
  },
  mysql: {
    options: {
      values: "-e -h -P -u -D --execute --host --port --user --database",
      same: "--execute=-e --host=-h --user=-u --database=-D",
    },
    access: { args: "-*", options: { "-h": "h" } },
    fetches: true,
    commandOptions: [["-e", /(?:^|;)\s*(?:\\!|system)\s+(.+)$/s]],
    database: "sql",
  },
  mariadb: { like: "mysql", database: "sql" },
  mongosh: {
    options: { values: "--eval --host --port -u -p --username --password --file -f" },
    database: "mongo",
  },
  mongo: { like: "mongosh", database: "mongo" },
  "redis-cli": {
    options: { values: "-h -p -a -n -u -s --pass --user" },
    access: { args: "-*", options: { "-h": "h" } },
    fetches: true,
    database: "sql",
  },
  "valkey-cli cqlsh clickhouse-client clickhouse sqlcmd usql pgcli mycli litecli duckdb cockroach snowsql bq influx sqlplus wrangler turso supabase prisma":
    { database: "sql" },
  sqlite3: {
    options: { values: "-cmd -init -separator", oneDash: true },
    access: "r -*",
    needsParser: true,
    commandArgument: /^\.(?:shell|system)\s+(.+)$/s,
    database: "sql",
  },
  dropdb: { options: { values: "-h -p -U --maintenance-db" } },
  mysqladmin: { options: { values: "-h -P -u" } },
};
