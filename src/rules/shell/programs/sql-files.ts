import { matchesOf } from "../words/text.ts";
import type { ParsedOptions } from "./program-row.ts";

/** What statements, and commands of the clients, do with files of this machine; the first group names the file. */
const SQL_FILES: readonly (readonly ["r" | "w", RegExp])[] = [
  [
    "r",
    /\b(?:readfile|pg_read_\w+|pg_stat_file|pg_ls_dir|lo_import|load_file|load_extension|read_(?:text|blob|csv|parquet|n?d?json|xlsx)\w*|(?:csv|parquet|json)_scan|sniff_csv|file|infile)\s*\(\s*'([^']+)'/gi,
  ],
  [
    "r",
    /\b(?:copy\b[^;']{0,300}?\bfrom|infile|attach(?:\s+database)?|import\s+database|restore\b[^;']{0,300}?\bfrom(?:\s+disk\s*=)?|from|join)\s+'([^']+)'/gi,
  ],
  ["w", /\b(?:writefile\s*\(|lo_export\s*\([^,']{1,40},|pg_file_write\s*\()\s*'([^']+)'/gi],
  [
    "w",
    /\b(?:copy\b[^;']{0,300}?\bto|into\s+(?:outfile|dumpfile)|vacuum(?:\s+\w+)?\s+into|attach(?:\s+database)?|export\s+database|backup\b[^;']{0,300}?\bto(?:\s+disk\s*=)?)\s+'([^']+)'/gi,
  ],
  ["r", /\\copy\b[^\n]{0,300}?\bfrom\s+['"]?([^\s'"]+)/gi],
  ["w", /\\copy\b[^\n]{0,300}?\bto\s+['"]?([^\s'"]+)/gi],
  [
    "r",
    /(?:^|[\n;])\s{0,40}(?:\.(?:read|import|open|restore|load)|\\(?:ir?|include\w*|lo_import)|\\\.|source)\s+(?:--?\w+\s+)?['"]?([^\s'";|]+)/gi,
  ],
  [
    "w",
    /(?:^|[\n;])\s{0,40}(?:\.(?:output|once|backup|save|log|clone)|\\(?:o(?:ut)?|w(?:rite)?|s|g|lo_export\s+\d+)|tee|\\T)\s+(?:--?\w+\s+)?['"]?([^\s'";|]+)/gi,
  ],
];

/** The files that the statements of a client for databases read and write, from its words and its standard input. */
export function sqlFiles(
  { args, options }: ParsedOptions,
  stdin: string | undefined,
): readonly (readonly ["r" | "w", string])[] {
  const text = [...args, ...options.map(({ value }) => value), stdin ?? ""].join("\n");
  return SQL_FILES.flatMap(([role, pattern]) =>
    matchesOf(pattern, text).map((match) => [role, match[1] ?? ""] as const),
  );
}
