import { shown } from "../../words/text.ts";
import type { AddAccess, ProgramFamily } from "../program-row.ts";
import { valuesOf } from "../row-parts.ts";
import { DATABASE_CLIENT, SERVICE, TASKS } from "../service-changes.ts";

/** `COPY … TO PROGRAM '…'`, which a database server gives to a shell. */
const TO_PROGRAM = /\bprogram\s+'([^']+)'/i;

/** A connection string among the arguments, which says where the server is. */
const addresses: AddAccess = (parsed, add) => {
  for (const text of [...parsed.args, ...valuesOf(parsed, "-d", "-u", "--uri", "--url")]) {
    if (/^[a-z][a-z0-9+]*:\/\//i.test(text) || /^\$\{?\w*(?:URL|URI|DSN)\}?$/.test(shown(text)))
      add("a", text);
    const host = /(?:^|\s)host(?:addr)?=(\S+)/.exec(text)?.[1];
    if (host !== undefined && !host.startsWith("/")) add("h", host);
  }
};

const AT_HOST = {
  ...DATABASE_CLIENT,
  access: "-*",
  optionAccess: { "-h": "h", "--host": "h" },
  addAccess: addresses,
} as const;

/** Clients of databases. */
export const DATABASES: ProgramFamily = {
  psql: {
    ...DATABASE_CLIENT,
    values: "-c -f -h -p -U -d -o -v -F --command --file --host --port --username --dbname --output --set",
    same: "--command=-c --file=-f --host=-h --username=-U --dbname=-d",
    access: "-*",
    optionAccess: { "-f": "u", "-h": "h", "-o": "w" },
    addAccess: addresses,
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
    ...AT_HOST,
    commandOptions: [["-e", /(?:^|;)\s*(?:\\!|system)\s+(.+)$/s]],
    database: "sql",
    traits: ["fetches"],
  },
  mariadb: { ...DATABASE_CLIENT, like: "mysql", database: "sql" },
  "mongosh mongo": {
    values: "--eval --host --port -u -p --username --password --file -f",
    ...AT_HOST,
    database: "mongo",
  },
  "redis-cli": {
    values: "-h -p -a -n -u -s --pass --user",
    ...AT_HOST,
    database: "sql",
    traits: ["fetches"],
  },
  "valkey-cli cqlsh clickhouse-client clickhouse sqlcmd usql pgcli mycli litecli cockroach snowsql influx sqlplus":
    {
      values: "-h --host -p --port -u --user -e --execute -q --query -d",
      ...AT_HOST,
      database: "sql",
    },
  "duckdb bq turso supabase": { database: "sql" },
  prisma: { ...TASKS, database: "sql" },
  wrangler: { ...SERVICE, database: "sql" },
  sqlite3: {
    values: "-cmd -init -separator",
    access: "r -*",
    optionAccess: { "-init": "u" },
    addAccess: (parsed, add) => {
      const [file, ...statements] = parsed.args;
      if (file !== undefined && statements.some((text) => /^\s*\.restore\s/.test(text))) add("w", file);
    },
    commandArgument: /^\.(?:shell|system)\s+(.+)$/s,
    database: "sql",
    traits: ["oneDash", "needsParser", "replaces"],
  },
  "pg_dump pg_dumpall pg_restore pg_isready pg_basebackup createdb dropdb createuser dropuser": {
    ...DATABASE_CLIENT,
    values:
      "-h -p -U -d -f -F -j -n -t -W --host --port --username --dbname --file --format --maintenance-db",
    same: "--host=-h --file=-f --dbname=-d",
    access: "-*",
    optionAccess: { "-h": "h", "-f": "w" },
    addAccess: addresses,
  },
  "mysqladmin mysqldump mariadb-dump mysqlimport": { values: "-h -P -u --host --port --user", ...AT_HOST },
  "mongodump mongorestore mongoexport mongoimport": {
    values: "-h --host --port -u -p -d --db -c --collection --uri -o --out --archive",
    ...AT_HOST,
  },
};
