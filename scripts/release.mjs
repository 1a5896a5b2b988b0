// `npm run release -- [VERSION] [--dry-run]`: makes a release ready. It writes the version into every file that has it and
// dates the changelog, checks and packs, then commits and tags; pushing the tag has the workflow `release` publish it with its
// provenance. `--dry-run` changes nothing: it says what would be written and what the package would contain.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { root, run } from "./run.mjs";

/** Every file that has the version, and how it is written there. @type {Record<string, (text: string, version: string, date: string) => string>} */
const FILES = {
  "package.json": (text, version) =>
    replaced(replaced(text, /("version": ")[^"]+/, version), /("tenterhook-sqlite": ")[^"]+/, version),
  "package-lock.json": inLockFile,
  "sqlite/package.json": (text, version) => replaced(text, /("version": ")[^"]+/, version),
  "src/node/package-version.ts": (text, version) => replaced(text, /(PACKAGE_VERSION = ")[^"]+/, version),
  "CHANGELOG.md": dated,
};

/**
 * @param {string} text
 * @param {RegExp} place its group stands before the version.
 * @param {string} version
 */
function replaced(text, place, version) {
  if (!place.test(text)) throw new Error(`There is no ${place} to write the version to.`);
  return text.replace(place, (_, before) => before + version);
}

/**
 * @param {string} text
 * @param {string} version
 */
function inLockFile(text, version) {
  const lock = JSON.parse(text);
  lock.version = version;
  for (const folder of ["", "sqlite"]) lock.packages[folder].version = version;
  lock.packages[""].optionalDependencies["tenterhook-sqlite"] = version;
  return `${JSON.stringify(lock, undefined, 2)}\n`;
}

const UNRELEASED = /^## Unreleased(?:: (\S+))?$/m;

/**
 * @param {string} text
 * @param {string} version
 * @param {string} date
 */
function dated(text, version, date) {
  if (!UNRELEASED.test(text))
    throw new Error("CHANGELOG.md has no section Unreleased: write what changed first.");
  return text.replace(UNRELEASED, `## ${version} (${date})`);
}

/**
 * What each file will be.
 *
 * @param {(file: string) => string} read
 * @param {string} version
 * @param {string} date
 * @returns {Map<string, string>}
 */
export function releasedFiles(read, version, date) {
  if (!/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version))
    throw new Error(`${version} is no version: 1.2.3, or 1.2.3-beta.1.`);
  return new Map(Object.entries(FILES).map(([file, write]) => [file, write(read(file), version, date)]));
}

/** @param {string} file */
const read = (file) => readFileSync(join(root, file), "utf8");

/** @param {readonly string[]} args */
function main(args) {
  const isDry = args.includes("--dry-run");
  const version = args.find((one) => !one.startsWith("-")) ?? UNRELEASED.exec(read("CHANGELOG.md"))?.[1];
  if (version === undefined) throw new Error("Say which version: npm run release -- 1.2.3");
  const tag = `v${version}`;
  const problems = [
    ...(output("git", "status", "--porcelain") === "" ? [] : ["There are changes that are not committed."]),
    ...(output("git", "branch", "--show-current") === "main" ? [] : ["This is not the branch main."]),
    ...(output("git", "tag", "--list", tag) === "" ? [] : [`The tag ${tag} is there already.`]),
  ];
  if (!isDry && problems.length > 0) throw new Error(problems.join(" "));
  const files = releasedFiles(read, version, new Date().toISOString().slice(0, 10));
  if (!isDry) {
    for (const [file, text] of files) writeFileSync(join(root, file), text);
    run("npm", "run", "check");
  } else if (!existsSync(join(root, "dist/sbom.cdx.json"))) run(process.execPath, "scripts/build.mjs");
  const say = (/** @type {string} */ name, /** @type {string} */ text) =>
    console.log(`${name.padEnd(11)} ${text}`);
  say("version", `${version} in ${[...files.keys()].join(", ")}`);
  say("changelog", files.get("CHANGELOG.md")?.match(/^## \d.*$/m)?.[0] ?? "");
  const { filename, size, unpackedSize, entryCount, integrity } = packed();
  say(
    "package",
    `${filename}: ${entryCount} files, ${megabytes(size)} packed, ${megabytes(unpackedSize)} unpacked`,
  );
  say("integrity", integrity);
  say(
    "sbom",
    `dist/sbom.cdx.json: ${JSON.parse(read("dist/sbom.cdx.json")).components.length} packages in our files`,
  );
  say("provenance", "signed by the workflow that publishes; nobody can make it here, so it is not proven");
  say("tag", `${tag}; then: git push --follow-tags`);
  for (const problem of problems) say("not ready", problem);
  if (isDry) return console.log("\nNothing was changed.");
  run("git", "commit", "--all", "--message", `chore(release): ${version}`);
  run("git", "tag", "--annotate", tag, "--message", `Tenterhook ${version}`);
}

/** @param {number} bytes */
function megabytes(bytes) {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** @returns {{ filename: string, size: number, unpackedSize: number, entryCount: number, integrity: string }} */
function packed() {
  const [found] = JSON.parse(output("npm", "pack", "--dry-run", "--json", "--ignore-scripts"));
  return found;
}

/**
 * @param {string} program
 * @param {...string} args
 */
function output(program, ...args) {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: root, encoding: "utf8" });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")} failed: ${stderr.trim()}`);
  return stdout.trim();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    main(process.argv.slice(2));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
