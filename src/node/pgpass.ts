import { statSync } from "node:fs";
import { homedir, userInfo } from "node:os";
import { join } from "node:path";
import { readOwnFile } from "./files/own-file.ts";

/** A line of a password file of PostgreSQL; `*` fits everything. */
interface Entry {
  readonly host: string;
  readonly port: string;
  readonly database: string;
  readonly user: string;
  readonly password: string;
}

const MOST_BYTES = 1_000_000;
const OPEN_TO_OTHERS = 0o077;

type Environment = Readonly<Record<string, string | undefined>>;

/** `~/.pgpass`, or the file that PGPASSFILE names: where PostgreSQL's own programs find passwords. */
function fileOf({ PGPASSFILE = "", HOME = homedir() }: Environment): string {
  return PGPASSFILE === "" ? join(HOME, ".pgpass") : PGPASSFILE;
}

function entriesIn(environment: Environment): readonly Entry[] {
  const { text = "" } = readOwnFile(fileOf(environment), MOST_BYTES);
  return text.split(/\r?\n/).flatMap((line) => {
    if (line.trimStart().startsWith("#")) return [];
    // A colon or a backslash in a field is written with a backslash.
    const fields = [...line.matchAll(/((?:\\.|[^:\\])*)(?::|$)/g)].map(([, field = ""]) =>
      field.replaceAll(/\\(.)/g, "$1"),
    );
    const [host, port, database, user, password] = fields;
    if (host === undefined || port === undefined || database === undefined) return [];
    if (user === undefined || password === undefined || password === "") return [];
    return [{ host, port, database, user, password }];
  });
}

/** Every password in the file: none of them belongs into a record. */
export function passwordsInPgpass(environment: Environment): readonly string[] {
  return entriesIn(environment).map(({ password }) => password);
}

/**
 * The password for an address that has none, from the first entry that fits. Like PostgreSQL's own programs, this uses no file that
 * others may read.
 */
export function pgpassFor(
  { hostname, port, pathname, username }: URL,
  environment: Environment,
): string | undefined {
  const { mode } = statSync(fileOf(environment), { throwIfNoEntry: false }) ?? { mode: OPEN_TO_OTHERS };
  if ((mode & OPEN_TO_OTHERS) !== 0) return undefined;
  const wanted = {
    host: hostname === "" ? "localhost" : hostname,
    port: port === "" ? "5432" : port,
    database: decodeURIComponent(pathname.slice(1)),
    user: username === "" ? (environment.PGUSER ?? userInfo().username) : decodeURIComponent(username),
  };
  const fits = (entry: Entry): boolean =>
    (["host", "port", "database", "user"] as const).every(
      (name) => entry[name] === "*" || entry[name] === wanted[name],
    );
  return entriesIn(environment).find(fits)?.password;
}
