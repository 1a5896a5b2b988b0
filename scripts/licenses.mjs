import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./run.mjs";

/** Packages without a licence file, and one of the same authors and repository that has it. */
const LICENSED_LIKE = new Map([["@ai-sdk/provider-utils", "node_modules/@ai-sdk/provider"]]);

/** @typedef {{ folder: string, name: string, version: string, license: string, text: string }} BundledPackage */

/**
 * The packages that built files contain, by name.
 *
 * @param {readonly string[]} files what the built files are made of.
 * @returns {readonly BundledPackage[]}
 */
export function packagesOf(files) {
  const folders = files.map((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? "");
  const packages = [...new Set(folders)].filter((folder) => folder !== "").map(packageIn);
  // Two packages may contain a copy each of a third one.
  const once = new Map(packages.map((one) => [`${one.name}@${one.version}`, one]));
  return [...once.keys()].sort().flatMap((key) => once.get(key) ?? []);
}

/**
 * The licences of packages, as their authors ask of everyone who passes copies on; each text once.
 *
 * @param {readonly BundledPackage[]} packages
 */
export function licensesOf(packages) {
  const texts = [...new Set(packages.map(({ text }) => text))];
  const sections = texts.map((text) => {
    const names = packages.filter((one) => one.text === text).map(title);
    return `\n${names.join("\n")}\n\n${text}\n`;
  });
  return `Tenterhook's files contain these packages:\n${sections.join("")}`;
}

/** @param {BundledPackage} one */
function title({ name, version, license }) {
  return `${name} ${version} (${license})`;
}

/**
 * @param {string} folder
 * @returns {BundledPackage}
 */
function packageIn(folder) {
  /** @type {{ name: string, version: string, license: string, author?: string | { name: string } }} */
  const { name, version, license, author } = JSON.parse(
    readFileSync(join(root, folder, "package.json"), "utf8"),
  );
  const holder = typeof author === "string" ? author : author?.name;
  const text =
    licenseFile(folder) ?? licenseFile(LICENSED_LIKE.get(name) ?? folder) ?? mit(license, holder) ?? "";
  if (text === "") throw new Error(`${name} has no licence file, so it can't be a part of our files.`);
  return { folder, name, version, license, text };
}

/** @param {string} folder */
function licenseFile(folder) {
  const file = readdirSync(join(root, folder)).find((entry) => /^licen[cs]e/i.test(entry));
  return file === undefined ? undefined : readFileSync(join(root, folder, file), "utf8").trim();
}

/**
 * The text of MIT's licence, which is also ours, for a package that only names it.
 *
 * @param {string} license
 * @param {string | undefined} holder
 */
function mit(license, holder) {
  if (license !== "MIT" || holder === undefined) return undefined;
  const ours = readFileSync(join(root, "LICENSE"), "utf8").trim();
  return ours.replace(/^Copyright .*$/m, `Copyright (c) ${holder}`);
}
