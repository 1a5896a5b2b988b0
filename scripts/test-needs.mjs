// Finds the programs that the tests start, and installs those that are missing where it can: on Debian and its relatives, as
// root or with a sudo that asks nothing. Otherwise it ends with the command to install them. A test that can't find its program
// would be left out, and nobody would know.
//   node scripts/test-needs.mjs          # what npm test does first
//   node scripts/test-needs.mjs --list   # prints each program with its package in Debian
import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";

/**
 * Programs, and the packages that have them. Homebrew has none for what only Linux needs. Debian has some programs in a folder
 * `bin` of each version instead of the path.
 *
 * @type {readonly { program: string, debian: string, homebrew?: string, versions?: string }[]}
 */
const NEEDS = [
  { program: "bash", debian: "bash", homebrew: "bash" },
  { program: "bwrap", debian: "bubblewrap" },
  { program: "chromium", debian: "chromium" },
  { program: "curl", debian: "curl", homebrew: "curl" },
  { program: "fish", debian: "fish", homebrew: "fish" },
  { program: "git", debian: "git", homebrew: "git" },
  { program: "jq", debian: "jq", homebrew: "jq" },
  { program: "openssl", debian: "openssl", homebrew: "openssl" },
  { program: "perl", debian: "perl-base", homebrew: "perl" },
  { program: "postgres", debian: "postgresql", homebrew: "postgresql", versions: "/usr/lib/postgresql" },
  { program: "ps", debian: "procps" },
  { program: "python3", debian: "python3", homebrew: "python3" },
  { program: "redis-server", debian: "redis-server", homebrew: "redis" },
  { program: "tmux", debian: "tmux", homebrew: "tmux" },
  { program: "zsh", debian: "zsh", homebrew: "zsh" },
];

const APT = ["-o", "DPkg::Lock::Timeout=600", "-q"];

if (process.argv.includes("--list"))
  for (const { program, debian } of NEEDS) console.log(`${program} ${debian}`);
else process.exitCode = findOrInstall() ? 0 : 1;

function findOrInstall() {
  if (process.platform === "darwin") return say(missing("homebrew"), "brew install");
  const asRoot = asRootPrefix();
  if (missing("debian").length > 0 && isThere("apt-get") && asRoot !== undefined) {
    console.log(`Installing what the tests need: ${missing("debian").join(", ")}.`);
    // Without lists of packages, or with old ones, a package is not found.
    if (!install(asRoot, "ignore") && apt(asRoot, "inherit", "update")) install(asRoot, "inherit");
  }
  return say(missing("debian"), "sudo apt-get update && sudo apt-get install");
}

/**
 * @param {"debian" | "homebrew"} system
 * @returns {readonly string[]} the packages of the programs that are not there.
 */
function missing(system) {
  return NEEDS.flatMap(({ program, versions, [system]: name }) =>
    name === undefined || isThere(program, versions) ? [] : [name],
  );
}

/**
 * @param {string} program
 * @param {string} [versions]
 */
function isThere(program, versions = "") {
  const ofVersions = existsSync(versions)
    ? readdirSync(versions).map((one) => join(versions, one, "bin"))
    : [];
  return [...(process.env.PATH ?? "").split(delimiter), ...ofVersions].some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** @returns what comes before a command so that it runs as root; `undefined` where nothing does without a password. */
function asRootPrefix() {
  if (process.getuid?.() === 0) return [];
  return spawnSync("sudo", ["-n", "true"]).status === 0 ? ["sudo", "-n"] : undefined;
}

/**
 * @param {readonly string[]} asRoot
 * @param {"ignore" | "inherit"} errors
 */
function install(asRoot, errors) {
  return apt(asRoot, errors, "install", "-y", "--no-install-recommends", ...missing("debian"));
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

/**
 * @param {readonly string[]} packages
 * @param {string} command
 * @returns {boolean} true if there is nothing to say.
 */
function say(packages, command) {
  if (packages.length === 0) return true;
  console.error(`The tests need ${packages.join(", ")}: run ${command} ${packages.join(" ")}.`);
  return false;
}
