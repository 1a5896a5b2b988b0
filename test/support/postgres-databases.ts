import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Debian has the programs of each version in a folder of its own. */
const DEBIAN = "/usr/lib/postgresql";

/** The variable by which the programs of a test find its server. */
export const SERVER_VARIABLE = "TEST_POSTGRES_SERVER";

/** The path of a program of PostgreSQL. */
export function postgresProgram(name: string): string {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...versions.map((version) => join(DEBIAN, version, "bin")),
    ...(process.env.PATH ?? "").split(delimiter),
  ];
  const found = folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
  if (found === undefined) throw new Error(`${name} is missing: node scripts/test-needs.mjs`);
  return found;
}

/** The address of another database of a server. */
export function databaseNamed(server: string, name: string): string {
  return new URL(`/${name}`, server).href;
}

const created = new Set<string>();

/** The address of the database that stands for a folder, for this process and others. It is created with the first use. */
export function databaseFor(folder: string): string {
  const server = process.env[SERVER_VARIABLE] ?? "";
  if (server === "") throw new Error(`${SERVER_VARIABLE} is not set.`);
  const name = `folder_${createHash("sha256").update(folder).digest("hex").slice(0, 20)}`;
  const url = databaseNamed(server, name);
  if (created.has(url)) return url;
  try {
    execFileSync(postgresProgram("createdb"), ["--maintenance-db", server, name], { stdio: "pipe" });
  } catch (error) {
    if (!/already exists/.test(String(error))) throw error;
  }
  created.add(url);
  return url;
}
