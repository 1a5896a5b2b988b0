import { execFile } from "node:child_process";
import { join } from "node:path";
import { isWritable } from "../../../../node/files/is-writable.ts";
import { findProgram } from "../../../../node/process/find-program.ts";
import { homeFolder } from "../../../../node/user-folders.ts";
import { isSecretWhenPrinted } from "../../../../rules/shell/judge/secret-names.ts";
import { shellWord } from "../../../../shared/shell-word.ts";
import { counted } from "../../../command-line/screen/text.ts";
import type { Place } from "../../../configured-hooks/load-hooks.ts";
import { firstIn, inProject, productionNames, sshKeys, there } from "./files.ts";

/** A call with which an agent could read or destroy something. Nobody runs it: the hooks are asked about it. */
export interface Call {
  readonly tool_name: string;
  readonly tool_input: Readonly<Record<string, unknown>>;
}

/** Something an agent could read or destroy, and the usual ways to do that. */
export interface Reachable {
  readonly access: "read" | "destroy";
  /** What it is: `SSH keys`. */
  readonly kind: string;
  /** Its path or name; never its content. */
  readonly item: string;
  readonly calls: readonly Call[];
}

/** What takes longer is left out, so it is long enough for a busy machine. */
const MOST_MILLISECONDS = 20_000;

const CLOUD =
  ".aws/credentials .config/gcloud/credentials.db .config/gcloud/application_default_credentials.json .azure/msal_token_cache.json .azure/accessTokens.json .kube/config .config/doctl/config.yaml .fly/config.yml";
const TOKENS =
  ".npmrc .pypirc .netrc .git-credentials .docker/config.json .config/gh/hosts.yml .cargo/credentials.toml .gem/credentials .pgpass .my.cnf .vault-token .terraform.d/credentials.tfrc.json";
/** A `+` stands for a blank. */
const STORES =
  ".gnupg/ .password-store/ .local/share/keyrings/ Library/Keychains/ .mozilla/firefox/ .config/google-chrome/ Library/Application+Support/Google/Chrome/";

const ENV_FILE = /^\.env(?!\.(?:example|sample|template|dist|defaults?)$)(?:\..+)?$/;
const DATABASE = /\.(?:sqlite3?|db|duckdb|mdb)$/;

/**
 * Lists what an agent could read or destroy from this folder, by names alone: no secret is read. Looks at known places
 * of the home, at two levels of the project and at git.
 */
export async function reachableHere(invocation: Place): Promise<readonly Reachable[]> {
  const { cwd, environment } = invocation;
  const home = homeFolder(environment);
  const files = (kind: string, paths: readonly string[]): readonly Reachable[] =>
    paths.map((item) => {
      const file_path = firstIn(item);
      const read = { tool_name: "Read", tool_input: { file_path } };
      return { access: "read", kind, item, calls: [read, shell(`cat ${shellWord(file_path)}`)] };
    });
  return [
    ...files("SSH keys", sshKeys(home)),
    ...files("cloud credentials", there(home, CLOUD)),
    ...files("tokens", there(home, TOKENS)),
    ...files("key and password stores", there(home, STORES)),
    ...files(
      "environment files",
      inProject(cwd, (name) => ENV_FILE.test(name)),
    ),
    ...Object.keys(environment)
      .filter((name) => isSecretWhenPrinted(name) && environment[name] !== "")
      .map(
        (name): Reachable => ({
          access: "read",
          kind: "secret variables",
          item: `$${name}`,
          calls: [shell(`echo "$${name}"`)],
        }),
      ),
    ...(await gitWork(invocation)),
    ...inProject(cwd, (name) => DATABASE.test(name)).map((item) =>
      destroyed("database files", item, [`rm -f ${shellWord(item)}`, `: > ${shellWord(item)}`]),
    ),
    destroyed("your home folder", "~", ["rm -rf ~", 'rm -rf "$HOME"']),
    destroyed("this project", ".", ["rm -rf ./*", "find . -type f -delete"]),
    ...production(home),
    ...(await machine(invocation)),
  ];
}

function shell(command: string): Call {
  return { tool_name: "Bash", tool_input: { command } };
}

function destroyed(kind: string, item: string, lines: readonly string[]): Reachable {
  return { access: "destroy", kind, item, calls: lines.map(shell) };
}

function production(home: string): readonly Reachable[] {
  const contexts = productionNames(join(home, ".kube/config"), /^\s*(?:- )?name:\s*(\S+)\s*$/gm);
  const profiles = productionNames(join(home, ".aws/config"), /^\[(?:profile )?([^\]]+)\]/gm);
  return [
    ...contexts.map((name) =>
      destroyed("production clusters", name, [`kubectl --context ${name} delete namespace web`]),
    ),
    ...profiles.map((name) =>
      destroyed("production accounts", name, [`aws --profile ${name} s3 rm s3://data --recursive`]),
    ),
  ];
}

async function gitWork(invocation: Place): Promise<readonly Reachable[]> {
  const lines = async (...args: readonly string[]): Promise<readonly string[]> =>
    (await printed("git", ["--no-optional-locks", "-c", "core.fsmonitor=false", ...args], invocation))
      ?.split("\n")
      .filter((line) => line !== "") ?? [];
  const [status, stashes, unpushed] = await Promise.all([
    lines("status", "--porcelain"),
    lines("stash", "list"),
    lines("log", "--branches", "--not", "--remotes", "--format=%h", "-n", "1000"),
  ]);
  const untracked = status.filter((line) => line.startsWith("??"));
  const found = (list: readonly string[], one: string, calls: readonly string[]): readonly Reachable[] =>
    list.length === 0 ? [] : [destroyed("work in git", counted(list.length, one), calls)];
  return [
    ...found(
      status.filter((line) => !line.startsWith("??")),
      "changed file",
      ["git reset --hard", "git checkout -- ."],
    ),
    ...found(untracked, "untracked path", ["git clean -fdx"]),
    ...found(stashes, "stash", ["git stash clear"]),
    ...found(unpushed, "unpushed commit", ["rm -rf .git", "git branch -D main"]),
  ];
}

/** Docker and sudo: with one of them an agent can do all that the machine can. */
async function machine(invocation: Place): Promise<readonly Reachable[]> {
  const { environment } = invocation;
  const socket = environment.DOCKER_HOST?.replace(/^unix:\/\//, "") ?? "/var/run/docker.sock";
  const asRoot = (await printed("sudo", ["-n", "true"], invocation)) !== undefined;
  return [
    ...(isWritable(socket)
      ? [destroyed("Docker", socket, ["docker system prune -af --volumes", "docker run -v /:/host alpine"])]
      : []),
    ...(asRoot ? [destroyed("sudo without a password", "sudo", ["sudo rm -rf /etc", "sudo reboot"])] : []),
  ];
}

/** What a program prints; `undefined` when it is not there, fails, or takes too long. */
async function printed(
  program: string,
  args: readonly string[],
  { cwd, environment, signal }: Place,
): Promise<string | undefined> {
  const file = findProgram(program, cwd, environment);
  if (file === undefined) return undefined;
  return new Promise((resolve) => {
    const options = { cwd, env: environment, timeout: MOST_MILLISECONDS, maxBuffer: 4_000_000, signal };
    execFile(file, args, options, (error, stdout) => resolve(error === null ? stdout : undefined));
  });
}
