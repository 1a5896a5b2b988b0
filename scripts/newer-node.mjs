import { statSync } from "node:fs";
import { join } from "node:path";
import { root, step } from "./run.mjs";

const FOLDER = "test/newer-node";

/**
 * Installs what the tests in test/newer-node import, unless it is there, and checks their types. These packages want a newer Node
 * than we do: among ours, every `npm install` on Node 20 would warn of them.
 *
 * @returns {Promise<boolean>} whether it went well; if not, this process ends with an error, too.
 */
export async function installNewerNode() {
  const isThere = modified("node_modules/.package-lock.json") >= modified("package-lock.json");
  return (
    (isThere ||
      (await step("packages for a newer Node", "npm", "ci", "--loglevel=error", "--prefix", FOLDER))) &&
    (await step("types of their tests", "tsc", "-p", FOLDER))
  );
}

/** @param {string} file */
function modified(file) {
  return statSync(join(root, FOLDER, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
