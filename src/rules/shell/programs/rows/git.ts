import type { ShellReach } from "../../analysis.ts";
import type { Walk } from "../../state/frame.ts";
import { remoteHost } from "../../words/hosts.ts";
import { joinPath } from "../../words/paths.ts";
import type { AddAccess, Invocation, ProgramFamily, WrittenCommand } from "../program-row.ts";
import { has, pathsOrHere, reach, upload, valuesOf } from "../row-parts.ts";
import { TASKS } from "../service-changes.ts";

/** What of git writes into files it is given. */
const GIT_WRITERS = new Set(["archive", "format-patch", "bundle"]);

/** What of git takes addresses of repositories; elsewhere `a:b/c` is a file of a revision. */
const GIT_REMOTE = new Set(
  "clone fetch pull push ls-remote remote submodule subtree archive send-pack fetch-pack request-pull lfs annex".split(
    " ",
  ),
);

/** What of git shows files. */
const GIT_SHOWS = new Set("diff blame show cat-file annotate grep difftool range-diff".split(" "));

/** The folder that a command of git makes: the one it names, or one by the name of the repository. */
function madeFolder(command: string, [first, second, third]: readonly string[]): string | undefined {
  const named = (address: string | undefined) => /([^/:]+?)(?:\.git)?\/*$/.exec(address ?? "")?.[1];
  if (command === "init") return joinPath(first ?? "", ".git");
  if (command === "clone") return second ?? named(first);
  if (command === "worktree" && first === "add") return second;
  return command === "submodule" && first === "add" ? (third ?? named(second)) : undefined;
}

/** `git clone`, `git push` and the like with an address instead of the name of a remote. */
const gitTouches: AddAccess = (parsed, add) => {
  const [command = "", ...rest] = parsed.args;
  for (const arg of GIT_REMOTE.has(command) ? rest : [])
    if (/:\/\//.test(arg) || (remoteHost(arg) !== undefined && /[@/]/.test(arg)))
      add("a", arg.replace(/^([^/:]+):(?!\/\/)/, "ssh://$1/"));
  if (parsed.options.length > 0)
    for (const path of valuesOf(parsed, "--output", "--output-directory")) add("w", path);
  if (GIT_WRITERS.has(command ?? "") && !parsed.flags.includes("--stdout"))
    for (const arg of rest) if (/[./]/.test(arg) && !arg.includes("..")) add("w", arg);
  const made = madeFolder(command, rest);
  if (made !== undefined)
    add(
      "w",
      valuesOf(parsed, "-C").reduceRight((path, folder) => joinPath(folder, path), made),
    );
  if (command === "rm" || command === "mv") for (const arg of rest) add("m", arg);
  if (command === "checkout" || command === "restore")
    for (const arg of rest.filter((path) => path.includes("."))) add("w", arg);
  const patch = command === "log" && parsed.flags.some((flag) => /^-[puL]$|^--patch$/.test(flag));
  const counts = parsed.flags.some((flag) =>
    /^--(?:stat|name-only|name-status|shortstat|numstat|quiet)$/.test(flag),
  );
  if ((GIT_SHOWS.has(command) || patch) && !counts)
    // A file as it is now, or as `revision:path` at another time.
    for (const arg of rest) if (/[./]/.test(arg)) add("r", arg.slice(arg.lastIndexOf(":") + 1));
  if (command === "commit" || command === "tag")
    for (const path of valuesOf(parsed, "-F", "--file")) add("r", path);
};

/** Options that take a command, whose letters have another meaning for other commands of git. */
const STARTING: ReadonlyMap<string, string> = new Map([
  ["clone", "-u"],
  ["difftool", "-x"],
]);

/** The command that such an option takes: the word with spaces, or else the word after the option. */
function startedBy(option: string, args: readonly string[], text: string): readonly string[] {
  const lines = args.filter((arg) => /\s/.test(arg));
  if (lines.length > 0) return lines;
  const [, word = ""] = text.split(` ${option} `);
  return word === "" ? [] : [word.split(" ", 1).join("")];
}

/** Settings of git that hold a command. */
const COMMAND_KEY =
  "(?:core\\.(?:pager|editor|sshCommand|fsmonitor|askPass|gitProxy|alternateRefsCommand)|sequence\\.editor|diff\\.external|diff\\.[^=]{1,80}\\.(?:textconv|command)|pager\\.\\w+|gpg(?:\\.\\w+)?\\.program|merge\\.[^=]{1,80}\\.driver|filter\\.[^=]{1,80}\\.(?:clean|smudge|process)|(?:diff|merge)tool\\.[^=]{1,80}\\.cmd|browser\\.[^=]{1,80}\\.cmd|interactive\\.difffilter|trailer\\.[^=]{1,80}\\.(?:command|cmd)|uploadpack\\.packObjectsHook|receive\\.procReceiveRefs|sendemail\\.\\w*cmd)";
/** Settings that hold one after an exclamation mark. */
const SHELL_KEY = "(?:alias\\.[\\w-]+|credential\\.(?:[^=]{1,80}\\.)?helper|submodule\\.[^=]{1,80}\\.update)";
const SETS_COMMAND = new RegExp(`^${COMMAND_KEY}$`, "i");
const SETS_SHELL = new RegExp(`^${SHELL_KEY}$`, "i");

/** The command that `git config key value` stores: who sets one means to run it. */
function configuredCommands(args: readonly string[]): readonly string[] {
  if (args[0] !== "config") return [];
  return args.slice(1).flatMap((key, at) => {
    const value = args[at + 2];
    if (value === undefined) return [];
    if (SETS_COMMAND.test(key)) return [value.replace(/^!/, "")];
    return SETS_SHELL.test(key) && !/^alias/i.test(key) && value.startsWith("!") ? [value.slice(1)] : [];
  });
}

/** The files in which git finds the hooks of a repository, which may be in a folder of any name. */
const HOOK_FILE =
  /(?:^|\/)(?:(?:prepare-)?commit-msg|p(?:re|ost)-(?:commit|push|checkout|merge|merge-commit|rewrite|rebase|receive|update|applypatch|auto-gc|index-change)|(?:hooks|\.husky)\/[\w-]+)$/;

/** Hooks that the line has written itself, and that any command of git may start. */
function writtenHooks({ files }: Walk): readonly string[] {
  if (files.size === 0) return [];
  return [...files].flatMap(([path, { text }]) => (HOOK_FILE.test(path) ? [text ?? "$HOOK"] : []));
}

/**
 * Aliases of git that a command brings along (`-c alias.x=…`) or sets (`git config alias.x …`), as the commands they
 * are short for: who defines one means to run it.
 */
function aliasedCommands({ args, options, flags, text }: WrittenCommand, walk: Walk): readonly string[] {
  const defined = options.flatMap(({ flag, value }) =>
    flag === "-c" ? (/^alias\.[\w.-]+=([^!].*)$/is.exec(value)?.[1] ?? []) : [],
  );
  const at = args.findIndex((arg) => /^alias\.[\w.-]+$/i.test(arg));
  const set = args[0] === "config" && at !== -1 ? args[at + 1] : undefined;
  if (set !== undefined) defined.push(set);
  const rest = args.slice(1).join(" ");
  const aliases = defined.map((text) =>
    text.startsWith("!") ? text.slice(1) : `git ${text} ${set === undefined ? rest : ""}`,
  );
  const option = STARTING.get(args[0] ?? "");
  const started = option !== undefined && flags.includes(option) ? startedBy(option, args, text) : [];
  // `grep -O pattern` opens the usual pager, `grep -Oless pattern` this one. Elsewhere -O has an order of files.
  const pagers =
    args[0] === "grep"
      ? options.flatMap(({ flag, value }) => (flag === "-O" && text.includes(` -O${value}`) ? [value] : []))
      : [];
  // In the address of a helper, a percent sign keeps the space after it in the word.
  const helpers = args
    .filter((arg) => arg.startsWith("ext::"))
    .map((arg) => arg.slice(5).replace(/%([ %])/g, "\\$1"));
  return [...aliases, ...started, ...pagers, ...helpers, ...configuredCommands(args), ...writtenHooks(walk)];
}

type GitReacher = (invocation: Invocation, args: readonly string[]) => readonly ShellReach[];

/** Git chooses files by its index, which is not read here, and never touches its own folder. */
const SOME = { certain: false, except: [{ glob: ".git", of: "both" }] } as const;

/** A file of now, or as `revision:path` one of another time. */
const shows: GitReacher = ({ folder }, args) => {
  const paths = args.flatMap((arg) => [arg, arg.slice(arg.lastIndexOf(":") + 1)]);
  return reach(
    "reads",
    paths.map((path) => joinPath(folder, path)),
  );
};

const changesNamed: GitReacher = (invocation) =>
  has(invocation, "--staged") && !has(invocation, "--worktree")
    ? []
    : reach("writes", invocation.touches.writes, SOME);

const patches: GitReacher = (invocation) =>
  has(invocation, "--check", "--stat", "--numstat", "--summary", "--cached", "--abort")
    ? []
    : reach("writes", pathsOrHere(invocation, []), SOME);

const REACHES: Readonly<Record<string, GitReacher>> = {
  show: shows,
  "cat-file": shows,
  diff: shows,
  blame: shows,
  log: (invocation, args) => (has(invocation, "-p", "-u", "--patch") ? shows(invocation, args) : []),
  grep: (invocation, args) =>
    reach("reads", pathsOrHere(invocation, args.slice(has(invocation, "-e") ? 0 : 1)), SOME),
  archive: (invocation) => reach("reads", pathsOrHere(invocation, []), SOME),
  clean: (invocation, args) =>
    has(invocation, "-n", "--dry-run")
      ? []
      : reach("writes", pathsOrHere(invocation, args), {
          certain: false,
          except: [
            ...SOME.except,
            ...valuesOf(invocation.parsed, "-e", "--exclude").map((glob) => ({ glob, of: "both" as const })),
          ],
        }),
  checkout: changesNamed,
  restore: changesNamed,
  reset: (invocation) =>
    has(invocation, "--hard") ? reach("writes", pathsOrHere(invocation, []), SOME) : [],
  apply: patches,
  am: patches,
  rm: (invocation, args) =>
    has(invocation, "--cached") ? [] : reach("writes", pathsOrHere(invocation, args), SOME),
  mv: (invocation, args) => reach("reads", pathsOrHere(invocation, args.slice(0, -1))),
};

/** What commands of git reach. Paths start at the folder of `-C`. */
function gitReaches(given: Invocation): readonly ShellReach[] {
  const [command = "", ...args] = given.parsed.args;
  const reacher = Object.hasOwn(REACHES, command) ? REACHES[command] : undefined;
  if (reacher === undefined) return [];
  const [folder] = valuesOf(given.parsed, "-C");
  const invocation = folder === undefined ? given : { ...given, folder: joinPath(given.folder, folder) };
  return reacher(invocation, args);
}

/** Version control, and where its repositories are hosted. */
export const GIT: ProgramFamily = {
  git: {
    values:
      "-C -c --git-dir --work-tree --namespace --exec-path -m --message -F --file --author --date -b -B --branch --depth --since --until --grep --format --onto --strategy --exec --tree-filter --index-filter --msg-filter --env-filter --upload-pack --receive-pack --output --output-directory --directory --extcmd --exclude -G -L -O --max-count --config",
    same: "--config=-c --force=-f --delete=-d --all=-a --hard=--hard --merge=--merge --keep=--keep --mirror=--mirror --discard-changes=--discard-changes --worktree=--worktree --source=--source --staged=--staged --orphan=--orphan --no-verify=--no-verify --dry-run=--dry-run --global=--global --system=--system --cached=--cached --root=--root --reset=--reset --force-with-lease=--force-with-lease --tags=--tags",
    addAccess: gitTouches,
    otherCommands: aliasedCommands,
    reach: gitReaches,
    wrapsAfter: {
      "bisect run": {},
      "submodule foreach": { text: true },
      rebase: { values: "--onto -s -X", scripts: "-x --exec", skip: 99 },
      "filter-branch": {
        scripts: "--tree-filter --index-filter --msg-filter --env-filter --commit-filter",
        skip: 99,
      },
    },
    harmlessWhen:
      /^git (?:rev-parse|describe|branch|symbolic-ref|tag|rev-list|log -1|ls-remote|config --get remote)/,
    printsSecret:
      /^ (?:config (?:--\S+ )*\S*(?:extraheader|credential|token|password)\S*$|credential (?:fill|approve)|credential-\w+ get)/,
    commandOptions: [
      ["-c", new RegExp(`^${COMMAND_KEY}=(.+)$`, "is")],
      ["-c", new RegExp(`^${SHELL_KEY}=!(.+)$`, "is")],
    ],
    starts: "--upload-pack --receive-pack --exec --open-files-in-pager --extcmd",
    commandArgument: /^(?:ext::|!)(.+)$/s,
    traits: ["subcommands"],
  },
  gh: {
    ...TASKS,
    otherCommands: ({ args: [area, action, , text = ""] }) =>
      area === "alias" && action === "set" ? [text.replace(/^!/, "")] : [],
    values:
      "-R --repo -t --title -b --body -F --body-file -f --field --raw-field -H --header -X --method -q --jq -d --desc --ref --json --template -l --label -B --base -L --limit --notes --notes-file --target --assignee -r --reviewer --milestone --project --head --input --color",
    addAccess: (parsed, add, touches) => {
      const [area, action] = parsed.args;
      if (area === "gist" && action === "create")
        for (const arg of parsed.args.slice(2)) upload(arg, add, touches);
      if (area === "release" && (action === "upload" || action === "create"))
        for (const arg of parsed.args.slice(3)) upload(arg, add, touches);
      for (const text of valuesOf(parsed, "-F", "-f", "--field", "--raw-field", "--input"))
        if (text.includes("@")) upload(text.slice(text.indexOf("@") + 1), add, touches);
      // A text that others will read, from a file.
      if (area !== "api")
        for (const path of valuesOf(parsed, "-F", "--body-file", "--notes-file")) add("r", path);
      if (area === "gist" || area === "api" || area === "release") touches.connects.push("github.com");
    },
    printsSecret: /^ auth (?:token|status .*--show-token)/,
    sendsStdinWhen: ({ parsed, words }) =>
      parsed.args[0] === "gist" || words.includes("-") || words.includes("@-"),
    traits: ["subcommands", "fetches"],
  },
  glab: { printsSecret: /^ auth token/, traits: ["fetches"] },
  "hg svn jj gitleaks trufflehog": { traits: ["namesOnly"] },
};
