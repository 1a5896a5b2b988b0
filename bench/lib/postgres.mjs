import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";

/** Debian has the programs of each version in a folder of its own. */
const DEBIAN = "/usr/lib/postgresql";

/** @param {string} name */
function program(name) {
  const [newest] = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : [];
  return newest === undefined ? name : join(DEBIAN, newest, "bin", name);
}

/** PostgreSQL refuses to run as root. */
function serverUser() {
  if (process.getuid?.() !== 0) return undefined;
  const id = (/** @type {string} */ flag) =>
    Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  return typeof address === "object" ? (address?.port ?? 0) : 0;
}

/**
 * Measures with a PostgreSQL server of its own, as it is after its installation.
 *
 * @template Result
 * @param {(url: string, database: pg.Client) => Promise<Result>} measure
 */
export async function withPostgres(measure) {
  const user = serverUser();
  const folder = mkdtempSync(join(tmpdir(), "tenterhook-bench-"));
  if (user !== undefined) chownSync(folder, user.uid, user.gid);
  const data = join(folder, "data");
  const place = { ...user, cwd: folder, stdio: /** @type {const} */ ("ignore") };
  execFileSync(program("initdb"), ["-D", data, "-U", "bench", "--auth", "trust"], place);
  const port = await freePort();
  const args = ["-D", data, "-h", "127.0.0.1", "-p", String(port), "-c", `unix_socket_directories=${folder}`];
  const server = spawn(program("postgres"), args, place);
  const url = `postgres://bench@127.0.0.1:${port}/postgres`;
  try {
    const database = await connected(url);
    try {
      return await measure(url, database);
    } finally {
      await database.end();
    }
  } finally {
    const ended = once(server, "exit");
    server.kill("SIGINT");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {string} url */
async function connected(url) {
  for (let tries = 0; ; tries += 1) {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      return client;
    } catch (error) {
      if (tries > 100) throw error;
      await wait(100);
    }
  }
}
