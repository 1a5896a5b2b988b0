// `node scripts/audit.mjs`: which packages that our built files contain have known faults. Users' own `npm audit` can't see them.
// Exit code 1: some have. 2: the registry that npm is set to could not be asked.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { root } from "./run.mjs";

/** @typedef {{ title: string, url: string, severity: string, range: string }} Advisory */
/** @typedef {{ vulnerabilities: Record<string, { name: string, via: readonly (Advisory | string)[], nodes: readonly string[] }> }} Audit */

/**
 * The advisories about what the built files contain, a line of Markdown each.
 *
 * @param {Audit} audit what `npm audit --json` says.
 * @param {readonly { name: string, version: string }[]} contained
 * @param {Record<string, { version?: string }>} locked the packages of the lock file, by folder.
 */
export function findings({ vulnerabilities }, contained, locked) {
  return Object.values(vulnerabilities).flatMap(({ name, via, nodes }) => {
    const versions = new Set(nodes.map((folder) => locked[folder]?.version));
    const ours = contained.filter((one) => one.name === name && versions.has(one.version));
    // A text is the name of another package, which has a row of its own.
    const advisories = via.flatMap((one) => (typeof one === "string" ? [] : [one]));
    return ours.flatMap(({ version }) =>
      advisories.map(({ title, url, severity }) => `- ${name} ${version}, ${severity}: [${title}](${url})`),
    );
  });
}

/** @param {string} file */
const read = (file) => JSON.parse(readFileSync(join(root, file), "utf8"));

function main() {
  const { stdout } = spawnSync("npm", ["audit", "--json", "--package-lock-only"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  const audit = JSON.parse(stdout || "{}");
  if (!("vulnerabilities" in audit)) {
    console.error(
      `The registry that npm is set to can't be asked for known faults: ${audit.message ?? "no answer"}.`,
    );
    return 2;
  }
  const { components } = read("dist/sbom.cdx.json");
  const found = findings(
    audit,
    [...components, { name: "@photostructure/sqlite", version: sqliteVersion() }],
    read("package-lock.json").packages,
  );
  console.log(found.length === 0 ? "No known faults in what the built files contain." : found.join("\n"));
  return found.length === 0 ? 0 : 1;
}

function sqliteVersion() {
  return read("sqlite/package.json").dependencies["@photostructure/sqlite"];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = main();
