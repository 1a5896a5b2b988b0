import { isKnown, knownTail, shown } from "../words/text.ts";

export const OWN_PROGRAM = "tenterhook";

const OWN_FILE =
  /(?:^|[/:])tenterhook(?:\.(?:[cm]?js|cmd|ps1|sh))?(?:@[^/]*)?$|(?:^|\/)tenterhook(?:@[^/]*)?\/(?:dist|src)\/.*\.[cm]?[jt]s$/i;

/** True for our program as a name, with a version, or as a file of its package. */
export function isOwnProgram(word: string): boolean {
  return word.length <= LONGEST && OWN_FILE.test(word);
}

const LONGEST = 4_096;

const AGENT_FILE =
  /(?:^|\/)node_modules\/(?:@[^/]+\/)?(claude-code|codex|gemini-cli|qwen-code|copilot|opencode-ai|pi-coding-agent)\/.*\.[cm]?js$/;
const FILE_IN_BIN = /(?:^|\/)\.bin\/([^/]+)$|^\/(?:usr\/(?:local\/)?)?s?bin\/([^/]+)$/;

/** The program of a file that another program is given to run. */
export function programOfFile(path: string): string | undefined {
  if (path.length > LONGEST) return undefined;
  if (isOwnProgram(path)) return OWN_PROGRAM;
  const found = AGENT_FILE.exec(path)?.[1] ?? FILE_IN_BIN.exec(path)?.slice(1).find(Boolean);
  return found === undefined ? undefined : programName(found);
}

/** Variables that name a program of the user's choice. */
export const CHOSEN: ReadonlyMap<string, string> = new Map(
  "EDITOR VISUAL PAGER BROWSER CC CXX NODE PYTHON".split(" ").map((name) => [name, name.toLowerCase()]),
);

/**
 * Names by the words they were read from: one row of the shell benchmark is a tenth slower without. Bounded in number,
 * since the words come from the lines, and in length, since a longer word may hold its whole line in memory.
 */
const remembered = new Map<string, string>();
const MOST_REMEMBERED = 512;
const LONGEST_REMEMBERED = 12;

/**
 * The program a first word names, without folder, `.exe` or the backslash that skips aliases; `undefined`
 * when it can't be known. `$(npm bin)/eslint` is `eslint`: only the folder is unknown.
 */
export function programName(word: string): string | undefined {
  const known = remembered.get(word);
  if (known !== undefined) return known;
  const name = readName(word);
  if (name !== undefined && word.length <= LONGEST_REMEMBERED && remembered.size < MOST_REMEMBERED)
    remembered.set(word, name);
  return name;
}

function readName(word: string): string | undefined {
  const chosen = isKnown(word) ? undefined : CHOSEN.get(shown(word).replace(/[${}]/g, ""));
  if (chosen !== undefined) return chosen;
  const tail = knownTail(word);
  if (!isKnown(word) && !tail.includes("/")) return undefined;
  if (isOwnProgram(tail)) return OWN_PROGRAM;
  const file = tail.slice(tail.lastIndexOf("/") + 1).replace(/\.exe$/i, "");
  // Shells are installed under names with versions; zsh has `=rm` and `zf_rm` for `rm`.
  const name = file
    .replace(/^((?:ba|da|k|z|fi)?sh)-?\d[\d.]*$/, "$1")
    .replace(/^(?:=|zf_)(?=[a-z])/, "")
    .replace(VERSION, "");
  if (name === "" || (name !== "[" && name !== "[[" && /[*?[\]]/.test(word))) return undefined;
  return PACKAGES.get(name) ?? name;
}

/** Of `npx rimraf@5`. */
const VERSION = /(?<=^[\w.-]+)@[\w.^~*-]+$/;

/** Packages that have their programs under another name. */
const PACKAGES: ReadonlyMap<string, string> = new Map([
  ["claude-code", "claude"],
  ["gemini-cli", "gemini"],
  ["qwen-code", "qwen"],
  ["opencode-ai", "opencode"],
  ["pi-coding-agent", "pi"],
]);

/** An assignment to a variable whose value is a command that other programs run. */
export const SETS_COMMAND =
  /^(?:GIT_SSH_COMMAND|GIT_EXTERNAL_DIFF|GIT_PAGER|GIT_EDITOR|GIT_SEQUENCE_EDITOR|GIT_ASKPASS|PROMPT_COMMAND|PAGER|MANPAGER|LESSOPEN|EDITOR|VISUAL|BROWSER|SSH_ASKPASS|SUDO_ASKPASS|RSYNC_RSH|BORG_RSH)=/;

/** The same for a compiler or another tool of a build, when it is given more than a name. */
export const SETS_TOOL =
  /^(?:CC|CXX|CPP|LD|AR|AS|RANLIB|RUSTC_WRAPPER|RUSTC_WORKSPACE_WRAPPER|RUSTC|MAKE|npm_config_script_shell)=\S+\s/i;

/** An assignment to a variable that a shell expands before it shows it. */
export const SETS_PROMPT = /^PS4=/;

/** An assignment that defines a function in another shell, which is not followed. */
export const SETS_FUNCTION = /^BASH_FUNC_[^=]*=/;

/** One of git's settings, when it holds a command: an alias, a helper, or more than a word. */
export const SETS_GIT = /^GIT_CONFIG_VALUE_\d+=(?:!|.*\s)/s;

/** An assignment that changes which programs later commands start, and so is listed as a command of its own. */
export const CHANGES_PROGRAMS =
  /^(?:PATH|IFS|ENV|BASH_ENV|SHELL|PS4|CDPATH|GLOBIGNORE|SHELLOPTS|BASHOPTS|LD_\w+|DYLD_\w+|NODE_OPTIONS|PYTHONPATH|PYTHONSTARTUP|PERL5OPT|PERL5LIB|RUBYOPT|GIT_\w+|PROMPT_COMMAND|PAGER|EDITOR|VISUAL)=/;
