import { accessSync, constants, existsSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";

/**
 * Programs, and the packages that have them. Homebrew has none for what only Linux needs. Debian has some programs in a folder
 * `bin` of each version instead of the path. Some are only for `npm run test:all`.
 *
 * @satisfies {readonly { program: string, debian: string, homebrew?: string, versions?: string, only_long?: true }[]}
 */
const TABLE = /** @type {const} */ ([
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
  { program: "sshd", debian: "openssh-server", only_long: true },
  { program: "sudo", debian: "sudo", only_long: true },
  { program: "xterm", debian: "xterm", only_long: true },
  { program: "Xvfb", debian: "xvfb", only_long: true },
]);

/** @typedef {typeof TABLE[number]["program"]} NeededProgram */

/**
 * The programs that the tests start.
 *
 * @type {readonly { program: NeededProgram, debian: string, homebrew?: string, versions?: string, only_long?: true }[]}
 */
export const NEEDS = TABLE;

const isMac = process.platform === "darwin";
const INSTALL = isMac ? "brew install" : "sudo apt-get update && sudo apt-get install";

/** @returns {readonly string[]} the packages of the programs that are not there. */
export function missingPackages() {
  return NEEDS.flatMap((need) => {
    if (need.only_long === true && process.env.TEST_LONG !== "1") return [];
    const name = packageOf(need);
    return name === undefined || pathOf(need) !== undefined ? [] : [name];
  });
}

/**
 * @param {readonly string[]} packages
 * @returns {string} the command that installs them.
 */
export function toInstall(packages) {
  return `${INSTALL} ${packages.join(" ")}`;
}

/**
 * @param {NeededProgram} program
 * @returns {string | undefined} why a test that starts this program can't run here, and the way out.
 */
export function whyMissing(program) {
  const need = NEEDS.find((one) => one.program === program);
  if (need === undefined || pathOf(need) !== undefined) return undefined;
  const name = packageOf(need);
  return `${program} is not installed${name === undefined ? "." : `: ${toInstall([name])}`}`;
}

/** @param {typeof NEEDS[number]} need */
function packageOf({ debian, homebrew }) {
  return isMac ? homebrew : debian;
}

/**
 * @param {{ program: string, versions?: string }} need
 * @returns {string | undefined} where the program is.
 */
export function pathOf({ program, versions = "" }) {
  const ofVersions = existsSync(versions)
    ? readdirSync(versions).map((one) => join(versions, one, "bin"))
    : [];
  const folders = [...(process.env.PATH ?? "").split(delimiter), ...ofVersions];
  return folders.map((folder) => join(folder, program)).find(isProgram);
}

/** @param {string} path */
function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
