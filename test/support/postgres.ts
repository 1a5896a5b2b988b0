import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Client } from "pg";
import { afterAll } from "vitest";
import { freePort } from "./free-port.ts";
import { needs } from "./needs.ts";
import { databaseNamed, postgresProgram } from "./postgres-databases.ts";
import { eventually } from "./processes.ts";
import type { AtEnd } from "./temporary-folder.ts";

const PASSWORD = "correct-horse-battery";

/** A real PostgreSQL server on this machine. */
export interface PostgresServer {
  /** Of the database that every server has. */
  readonly url: string;
  readonly password: string;
  readonly port: number;
  /** The address of a new database: an empty one, or a copy of one that nobody is connected to. */
  newDatabase(copied?: string): Promise<string>;
  /** Ends it: `SIGINT` as an administrator would, `SIGKILL` as a power cut. */
  stop(signal: "SIGINT" | "SIGQUIT" | "SIGKILL"): Promise<void>;
  /** Starts it again, on the same port with the same data. */
  start(): Promise<void>;
}

/**
 * Starts a server for the tests of a file, with an empty folder and a password. It ends, and its files are removed, after
 * them. Call it at the top of a file with `await`: where PostgreSQL is missing, the file is left out.
 */
export async function postgresServer(atEnd: AtEnd = afterAll): Promise<PostgresServer> {
  needs("postgres");
  const user = serverUser();
  const folder = mkdtempSync(join(tmpdir(), "tenterhook-postgres-"));
  const data = join(folder, "data");
  const passwordFile = join(folder, "password");
  const log = join(folder, "log");
  writeFileSync(passwordFile, `${PASSWORD}\n`);
  if (user !== undefined) for (const path of [folder, passwordFile]) chownSync(path, user.uid, user.gid);
  const port = await freePort();
  let server: ChildProcess | undefined;
  const address = `postgres://tester:${PASSWORD}@127.0.0.1:${port}/postgres`;
  const administer = async (sql: string): Promise<void> => {
    const client = new Client({ connectionString: address });
    await client.connect();
    try {
      await client.query(sql);
    } finally {
      await client.end();
    }
  };
  const launched = (): ChildProcess => {
    // What the machine's memory holds survives the end of a process, so nothing has to reach the disk.
    const settings = ["fsync=off", "max_connections=200", `unix_socket_directories=${folder}`];
    const output = openSync(log, "a");
    const child = spawn(
      postgresProgram("postgres"),
      [
        ...["-D", data, "-h", "127.0.0.1", "-p", String(port)],
        ...settings.flatMap((setting) => ["-c", setting]),
      ],
      { ...user, cwd: folder, stdio: ["ignore", output, output] },
    );
    closeSync(output);
    return child;
  };
  const running = (): ChildProcess | undefined =>
    server?.exitCode === null && server.signalCode === null ? server : undefined;
  // It ends again while children of one that was killed still hold its memory.
  const start = (): Promise<void> =>
    eventually(async () => {
      server = running() ?? launched();
      await administer("SELECT 1").catch((error: unknown) => {
        throw new Error(`PostgreSQL does not answer: ${error}. ${readFileSync(log, "utf8")}`);
      });
    });
  const stop: PostgresServer["stop"] = async (signal) => {
    const child = running();
    if (child === undefined) return;
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
  };
  atEnd(async () => {
    await stop("SIGQUIT");
    // The children of a server that was killed end a moment later.
    await eventually(() => rmSync(folder, { recursive: true, force: true }));
  });
  await promisify(execFile)(
    postgresProgram("initdb"),
    [
      ...["-D", data, "-U", "tester", "--pwfile", passwordFile, "--auth", "scram-sha-256"],
      ...["--encoding", "UTF8", "--locale", "C.UTF-8", "--no-sync"],
    ],
    { ...user, cwd: folder },
  );
  await start();
  let databases = 0;
  return {
    url: address,
    password: PASSWORD,
    port,
    async newDatabase(copied) {
      databases += 1;
      const name = `test_${databases}`;
      const template = copied === undefined ? "template1" : new URL(copied).pathname.slice(1);
      await administer(`CREATE DATABASE ${name} TEMPLATE ${template}`);
      return databaseNamed(address, name);
    },
    stop,
    start,
  };
}

/** PostgreSQL refuses to run as root. */
function serverUser(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}
