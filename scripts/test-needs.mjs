// Finds the programs that the tests start, and installs those that are missing where it can: on Debian and its relatives, as
// root or with a sudo that asks nothing. Otherwise it says how to install them; the tests that need them are then not run,
// and the end of the run says so.
//   node scripts/test-needs.mjs          # what npm test does first
//   node scripts/test-needs.mjs --list   # prints each program with its package in Debian
import { spawnSync } from "node:child_process";
import { missingPackages, NEEDS, pathOf, toInstall } from "./needed-programs.mjs";

const APT = ["-o", "DPkg::Lock::Timeout=600", "-q"];

if (process.argv.includes("--list"))
  for (const { program, debian } of NEEDS) console.log(`${program} ${debian}`);
else findOrInstall();

function findOrInstall() {
  const asRoot = missingPackages().length === 0 ? undefined : asRootPrefix();
  if (asRoot !== undefined) {
    console.log(`Installing what the tests need: ${missingPackages().join(", ")}.`);
    // Without lists of packages, or with old ones, a package is not found.
    if (!install(asRoot, "ignore") && apt(asRoot, "inherit", "update")) install(asRoot, "inherit");
  }
  const missing = missingPackages();
  if (missing.length > 0)
    console.log(
      `Tests that need ${missing.join(", ")} will not run. To run them, too: ${toInstall(missing)}`,
    );
}

/** @returns what comes before apt-get so that it runs as root; `undefined` where nothing does without a password. */
function asRootPrefix() {
  if (pathOf({ program: "apt-get" }) === undefined) return undefined;
  if (process.getuid?.() === 0) return [];
  return spawnSync("sudo", ["-n", "true"]).status === 0 ? ["sudo", "-n"] : undefined;
}

/**
 * @param {readonly string[]} asRoot
 * @param {"ignore" | "inherit"} errors
 */
function install(asRoot, errors) {
  return apt(asRoot, errors, "install", "-y", "--no-install-recommends", ...missingPackages());
}

/**
 * @param {readonly string[]} asRoot
 * @param {"ignore" | "inherit"} errors
 * @param {...string} args
 * @returns {boolean} whether it went well.
 */
function apt(asRoot, errors, ...args) {
  const line = [...asRoot, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", ...APT, ...args];
  const { status } = spawnSync(line[0] ?? "", line.slice(1), { stdio: ["ignore", "ignore", errors] });
  return status === 0;
}
