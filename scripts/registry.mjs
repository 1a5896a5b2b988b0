// A registry on loopback for packages that are not published: `npm install` as a user does it.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { root, run } from "./run.mjs";

/**
 * Packs the package into a folder.
 *
 * @param {string} folder
 * @returns the tarball.
 */
export function packOurs(folder) {
  return packed(".", folder);
}

/**
 * The same for the package that has SQLite.
 *
 * @param {string} folder
 */
export function packSqlite(folder) {
  run(process.execPath, "scripts/sqlite.mjs");
  return packed("./sqlite/dist", folder);
}

/** @param {string} place @param {string} folder */
function packed(place, folder) {
  const pack = ["pack", place, "--json", "--ignore-scripts", "--pack-destination", folder];
  const output = execFileSync("npm", pack, {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  /** @type {[{ filename: string }]} */
  const [{ filename }] = JSON.parse(output);
  return join(folder, filename);
}

/** The address of the registry that npm is set to. */
export function usualRegistry() {
  const config = execFileSync("npm", ["config", "get", "registry"], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  return config.trim().replace(/\/$/, "");
}

/**
 * Serves tarballs, each as the only version of its package.
 *
 * @param {readonly string[]} tarballs
 * @param {string} [upstream] Whoever asks for another package is sent there; without it, there is none.
 */
export async function serveRegistry(tarballs, upstream) {
  const packages = new Map(tarballs.map((file) => [manifestIn(file).name, file]));
  const server = createServer(({ url = "" }, response) => {
    const [, name = "", rest = ""] = /^\/([^/]+)(.*)$/.exec(url) ?? [];
    const file = packages.get(name);
    if (file === undefined && upstream === undefined) response.writeHead(404).end();
    else if (file === undefined) response.writeHead(302, { location: upstream + url }).end();
    else if (rest === "")
      response.setHeader("content-type", "application/json").end(JSON.stringify(metadata(file)));
    else response.end(readFileSync(file));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;

  /** @param {string} file */
  function metadata(file) {
    const { scripts: _, ...manifest } = manifestIn(file);
    const { name, version } = manifest;
    const integrity = `sha512-${createHash("sha512").update(readFileSync(file)).digest("base64")}`;
    const dist = { tarball: `${url}/${name}/-/${name}-${version}.tgz`, integrity };
    return { name, "dist-tags": { latest: version }, versions: { [version]: { ...manifest, dist } } };
  }
  return { url, close: () => void server.close() };
}

/**
 * @param {string} tarball
 * @returns {{ name: string, version: string, scripts?: object }}
 */
function manifestIn(tarball) {
  return JSON.parse(execFileSync("tar", ["-xzOf", tarball, "package/package.json"], { encoding: "utf8" }));
}
