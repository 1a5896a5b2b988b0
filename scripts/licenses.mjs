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
  /** @type {{ name: string, version: string, license: string }} */
  const { name, version, license } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
  const file = readdirSync(join(root, folder)).find((entry) => /^licen[cs]e/i.test(entry));
  if (file === undefined) throw new Error(`${name} has no licence file, so it can't be a part of our files.`);
  return `\n${name} ${version} (${license})\n\n${readFileSync(join(root, folder, file), "utf8").trim()}\n`;
}
