import type { ShellReach } from "../../analysis.ts";
import { remoteHost } from "../../words/hosts.ts";
import { joinPath } from "../../words/paths.ts";
import type { AddAccess, Invocation, ProgramRows } from "../program-row.ts";
import { pathsOrHere, reach, upload, valuesOf } from "../row-parts.ts";

/** What of git writes into files it is given. */
const GIT_WRITERS = new Set(["archive", "format-patch", "bundle"]);

/** `git clone`, `git push` and the like with an address instead of the name of a remote. */
const gitTouches: AddAccess = (parsed, add) => {
  const [command, ...rest] = parsed.args;
  for (const arg of rest)
    if (/:\/\//.test(arg) || (remoteHost(arg) !== undefined && /[@/]/.test(arg)))
      add("a", arg.replace(/^([^/:]+):(?!\/\/)/, "ssh://$1/"));
  if (parsed.options.length > 0)
    for (const path of valuesOf(parsed, "--output", "--output-directory")) add("w", path);
  if (GIT_WRITERS.has(command ?? "") && !parsed.flags.includes("--stdout"))
    for (const arg of rest) if (/[./]/.test(arg) && !arg.includes("..")) add("w", arg);
  if (command === "rm" || command === "mv") for (const arg of rest) add("m", arg);
  if (command === "checkout" || command === "restore")
    for (const arg of rest.filter((path) => path.includes("."))) add("w", arg);
  if (command === "diff" || command === "blame" || command === "show")
    for (const arg of rest) if (/[./]/.test(arg)) add("r", arg);
};

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

const changesNamed: GitReacher = ({ parsed, touches }) =>
  parsed.flags.includes("--staged") && !parsed.flags.includes("--worktree")
    ? []
    : reach("writes", touches.writes, SOME);

const patches: GitReacher = (invocation) =>
  invocation.parsed.flags.some((flag) => /^--(?:check|stat|numstat|summary|cached|abort)$/.test(flag))
    ? []
    : reach("writes", pathsOrHere(invocation, []), SOME);

const REACHES: Readonly<Record<string, GitReacher>> = {
  show: shows,
  "cat-file": shows,
  diff: shows,
  blame: shows,
  log: (invocation, args) =>
    invocation.parsed.flags.some((flag) => /^-[pu]$|^--patch$/.test(flag)) ? shows(invocation, args) : [],
  grep: (invocation, args) =>
    reach("reads", pathsOrHere(invocation, args.slice(invocation.parsed.flags.includes("-e") ? 0 : 1)), SOME),
  archive: (invocation) => reach("reads", pathsOrHere(invocation, []), SOME),
  clean: (invocation, args) =>
    invocation.parsed.flags.some((flag) => flag === "-n" || flag === "--dry-run")
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
    invocation.parsed.flags.includes("--hard") ? reach("writes", pathsOrHere(invocation, []), SOME) : [],
  apply: patches,
  am: patches,
  rm: (invocation, args) =>
    invocation.parsed.flags.includes("--cached") ? [] : reach("writes", pathsOrHere(invocation, args), SOME),
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
export const GIT: ProgramRows = {
  git: {
    values:
      "-C -c --git-dir --work-tree --namespace --exec-path -m --message -F --file --author --date -b -B --branch --depth --since --until --grep --format --onto -X --strategy --exec --tree-filter --index-filter --msg-filter --env-filter --upload-pack --receive-pack --output --output-directory --extcmd --exclude -G -L --max-count",
    same: "--force=-f --delete=-d --all=-a",
    addAccess: gitTouches,
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
      [
        "-c",
        /^(?:core\.(?:pager|editor|sshCommand|fsmonitor|askPass|gitProxy)|sequence\.editor|diff\.external|diff\.\w+\.textconv|pager\.\w+|gpg\.program|merge\.\w+\.driver|filter\.\w+\.\w+)=(.+)$/is,
      ],
      ["-c", /^(?:alias\.[\w-]+|credential\.helper)=!(.+)$/is],
    ],
    starts: "--upload-pack --receive-pack --exec --open-files-in-pager --extcmd",
    commandArgument: /^(?:ext::|!)(.+)$/s,
    traits: ["subcommands"],
  },
  gh: {
    values:
      "-R --repo -t --title -b --body -F --body-file -f --field --raw-field -H -X --method -q --jq -d --desc --ref --json --template -l --label -B --base -L --limit",
    addAccess: (parsed, add, touches) => {
      const [area, action] = parsed.args;
      if (area === "gist" && action === "create")
        for (const arg of parsed.args.slice(2)) upload(arg, add, touches);
      if (area === "release" && (action === "upload" || action === "create"))
        for (const arg of parsed.args.slice(3)) upload(arg, add, touches);
      for (const text of valuesOf(parsed, "-F", "-f", "--field", "--raw-field", "--input"))
        if (text.includes("@")) upload(text.slice(text.indexOf("@") + 1), add, touches);
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
