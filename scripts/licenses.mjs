import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./run.mjs";

/**
 * The licences of the packages that built files contain, as their authors ask of everyone who passes copies on.
 *
 * @param {readonly string[]} files what the built files are made of.
 */
export function licensesOf(files) {
  const folders = files.map((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? "");
  const packages = [...new Set(folders)].filter((folder) => folder !== "").sort();
  return `Tenterhook's files contain these packages:\n${packages.map(license).join("")}`;
}

/** @param {string} folder */
function license(folder) {
  /** @type {{ name: string, version: string, license: string, author?: string | { name: string } }} */
  const { name, version, license, author } = JSON.parse(
    readFileSync(join(root, folder, "package.json"), "utf8"),
  );
  const file = readdirSync(join(root, folder)).find((entry) => /^licen[cs]e/i.test(entry));
  const holder = typeof author === "string" ? author : author?.name;
  const text = file === undefined ? mit(license, holder) : readFileSync(join(root, folder, file), "utf8");
  if (text === undefined) throw new Error(`${name} has no licence file, so it can't be a part of our files.`);
  return `\n${name} ${version} (${license})\n\n${text.trim()}\n`;
}

/**
 * The text of MIT's licence, which is also ours, for a package that only names it.
 *
 * @param {string} license
 * @param {string | undefined} holder
 */
function mit(license, holder) {
  if (license !== "MIT" || holder === undefined) return undefined;
  return readFileSync(join(root, "LICENSE"), "utf8").replace(/^Copyright .*$/m, `Copyright (c) ${holder}`);
}
