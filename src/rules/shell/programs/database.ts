import { shown } from "../words/partly-known-text.ts";
import type { ParsedOptions } from "./invocation.ts";
import { sqlWithoutText } from "./sql.ts";

const CLIENTS: ReadonlySet<string> = new Set(
  (
    "psql mysql mariadb sqlite3 mongosh mongo redis-cli valkey-cli cqlsh clickhouse-client clickhouse sqlcmd usql pgcli mycli " +
    "litecli duckdb cockroach snowsql bq influx sqlplus wrangler turso supabase prisma"
  ).split(" "),
);

/** All of these are tried on text in which white space is one space at most. */
const DROPS =
  /\b(?:drop (?:table|database|schema|view|index|collection|keyspace|user|role|owned|bucket|measurement)\b|truncate (?:table )?["`\w]|dropDatabase\b|flushall\b|flushdb\b)|\.drop ?\(|\.(?:deleteMany|remove) ?\( ?(?:\{ ?\} ?)?\)/i;
const CHANGES_ROWS = /\b(?:delete from|update \S+ set)\b/i;
const CONDITION = /\bwhere\b(?! (?:1 ?= ?1|true)\b)/i;

/** True for a program that runs what it is told on a database. */
export function isDatabaseClient(program: string): boolean {
  return CLIENTS.has(program);
}

/** True when a database client is told to drop, empty or delete without a condition. */
export function losesDatabase(program: string, parsed: ParsedOptions, stdin: string | undefined): boolean {
  if (!CLIENTS.has(program)) return false;
  const texts = [...parsed.args, ...parsed.options.map((option) => option.value), stdin ?? ""];
  const read = program.startsWith("mongo") ? shown : (text: string) => sqlWithoutText(shown(text));
  return texts.some((text) => read(text).split(";").some(losesRows));
}

function losesRows(statement: string): boolean {
  const text = statement.replace(/\s+/g, " ");
  return DROPS.test(text) || (CHANGES_ROWS.test(text) && !CONDITION.test(text));
}
