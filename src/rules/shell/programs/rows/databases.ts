import type { ProgramRows } from "../program-row.ts";

/** `COPY … TO PROGRAM '…'`, which a database server gives to a shell. */
const TO_PROGRAM = /\bprogram\s+'([^']+)'/i;

/** Clients of databases. */
export const DATABASES: ProgramRows = {
  psql: {
    values: "-c -f -h -p -U -d -o -v -F --command --file --host --port --username --dbname --output --set",
    same: "--command=-c --file=-f --host=-h --username=-U --dbname=-d",
    access: "-*",
    optionAccess: { "-f": "u", "-h": "h", "-o": "w" },
    commandOptions: [
      ["-c", /^\s*\\!\s*(.+)$/s],
      ["-c", TO_PROGRAM],
    ],
    database: "sql",
    traits: ["fetches", "feedsCommands"],
  },
  mysql: {
    values: "-e -h -P -u -D --execute --host --port --user --database",
    same: "--execute=-e --host=-h --user=-u --database=-D",
    access: "-*",
    optionAccess: { "-h": "h" },
    commandOptions: [["-e", /(?:^|;)\s*(?:\\!|system)\s+(.+)$/s]],
    database: "sql",
    traits: ["fetches"],
  },
  mariadb: { like: "mysql", database: "sql" },
  mongosh: { values: "--eval --host --port -u -p --username --password --file -f", database: "mongo" },
  mongo: { like: "mongosh", database: "mongo" },
  "redis-cli": {
    values: "-h -p -a -n -u -s --pass --user",
    access: "-*",
    optionAccess: { "-h": "h" },
    database: "sql",
    traits: ["fetches"],
  },
  "valkey-cli cqlsh clickhouse-client clickhouse sqlcmd usql pgcli mycli litecli duckdb cockroach snowsql bq influx sqlplus wrangler turso supabase prisma":
    { database: "sql" },
  sqlite3: {
    values: "-cmd -init -separator",
    access: "r -*",
    commandArgument: /^\.(?:shell|system)\s+(.+)$/s,
    database: "sql",
    traits: ["oneDash", "needsParser"],
  },
  dropdb: { values: "-h -p -U --maintenance-db" },
  mysqladmin: { values: "-h -P -u" },
};
