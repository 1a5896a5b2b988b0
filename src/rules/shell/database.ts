import { shown } from "./marked.ts";
import type { ParsedOptions } from "./options.ts";

const CLIENTS =
  /^(?:psql|mysql|mariadb|sqlite3|mongosh|mongo|redis-cli|valkey-cli|cqlsh|clickhouse-client|clickhouse|sqlcmd|usql|pgcli|mycli|litecli|duckdb|cockroach|snowsql|bq|influx|sqlplus|wrangler|turso|supabase|prisma)$/;
const DROPS =
  /\b(?:drop\s+(?:table|database|schema|view|index|collection|keyspace|user|role|owned|bucket|measurement)\b|truncate\s+(?:table\s+)?["`\w]|dropDatabase\b|flushall\b|flushdb\b)|\.drop\s*\(|\.(?:deleteMany|remove)\s*\(\s*(?:\{\s*\})?\s*\)/i;

/** True for a program that runs what it is told on a database. */
export function isDatabaseClient(program: string): boolean {
  return CLIENTS.test(program);
}

/** True when a database client is told to drop, empty or delete without a condition. */
export function losesDatabase(program: string, parsed: ParsedOptions, stdin: string | undefined): boolean {
  if (!CLIENTS.test(program)) return false;
  const text = [...parsed.args, ...parsed.options.map((option) => option.value), stdin ?? ""]
    .map(shown)
    .join("\n");
  if (DROPS.test(text)) return true;
  return (
    text
      .split(/[;\n]/)
      .some(
        (statement) =>
          /\bdelete\s+from\b/i.test(statement) && !/\bwhere\b(?!\s+(?:1\s*=\s*1|true)\b)/i.test(statement),
      ) || /\bupdate\s+\S+\s+set\b(?![^;]*\bwhere\b)/i.test(text)
  );
}
