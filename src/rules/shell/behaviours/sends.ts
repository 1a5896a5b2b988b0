import type { ShellCommand } from "../analysis.ts";
import type { CodeFindings } from "../code/read-code.ts";
import { isSecretWhenPrinted, secretVariables } from "../judge/secret-names.ts";
import { hiddenCommands } from "../programs/inner-commands.ts";
import type { Invocation } from "../programs/program-row.ts";
import { type Program, programOf } from "../programs/programs.ts";
import { traced } from "../state/frame.ts";
import { isSet, type Scope } from "../state/scope.ts";
import { isLocalHost, isRemoteDevice } from "../words/hosts.ts";
import { baseName, ITEM, isKnown, shown, unknownParts } from "../words/text.ts";
import { withoutPrinting } from "./secrets.ts";

const HARMLESS_FILES = new Set(
  ".nvmrc .node-version .tool-versions package.json cargo.toml pyproject.toml go.mod os-release".split(" "),
);

function isHarmlessFile(path: string): boolean {
  const name = baseName(path).toLowerCase();
  return HARMLESS_FILES.has(name) || (name.includes("version") && /^[\w.-]+$/.test(name));
}

/** What a command sends to another machine: paths, `$VARIABLES`, or `-` for data that has no name. */
export function sentBy(
  program: Program,
  invocation: Invocation,
  code: CodeFindings | undefined,
): readonly string[] {
  if (invocation.touches.connects.length + invocation.redirections.writes.length === 0) return [];
  const hosts = remoteHosts(invocation);
  const leavesByRedirect = invocation.redirections.writes.some(isRemoteDevice);
  if (hosts.length === 0 && !leavesByRedirect) return [];
  const sent = [
    ...invocation.touches.uploads,
    ...inWords(program, invocation, hosts),
    ...(program.dialogue?.(invocation) ?? []),
  ];
  if (leavesByRedirect) sent.push(...ownOutput(program, invocation, code));
  if (leavesByRedirect || takesStdin(program, invocation)) sent.push(...flowing(invocation));
  return [...new Set(sent)];
}

/** What inline code sends, when it both reaches out and takes something along. */
export function sentByCode(code: CodeFindings): readonly string[] {
  if (!code.network || (code.hosts.length > 0 && code.hosts.every(isLocalHost))) return [];
  // What it starts may print anything into what it sends.
  const started = code.commands.length > 0 ? ["-"] : [];
  const variables = code.environment
    .filter((name) => name === "*" || isSecretWhenPrinted(name))
    .map((name) => `$${name}`);
  return [
    ...code.reads.filter((path) => !isHarmlessFile(path) && !/^\/(?:api|v\d)\b|^\.\/?$/.test(path)),
    ...variables,
    ...started,
  ];
}

function remoteHosts({ touches }: Invocation): readonly string[] {
  return touches.connects.filter((host) => !isLocalHost(host));
}

function takesStdin({ is, sendsStdinWhen }: Program, invocation: Invocation): boolean {
  if (is.has("sendsStdin")) return true;
  if (sendsStdinWhen !== undefined) return sendsStdinWhen(invocation);
  const { options } = invocation.parsed;
  return (
    options.some(({ value }) => /(?:^|[=@<])(?:-|\/dev\/stdin|\.)$/.test(value)) &&
    !(options.length === 1 && /^-[oO]$/.test(options[0]?.flag ?? ""))
  );
}

/** Local data in a stream, by the files and programs it comes from. */
function flowing({ stdin: stream, walk, scope }: Invocation): readonly string[] {
  if (stream.file !== undefined) return stream.file === "/dev/null" ? [] : [stream.file];
  const names = [...secretVariables(stream.text ?? ""), ...sourcedVariables(stream.text ?? "", scope)];
  const variables = names.map((name) => `$${name}`);
  // The names of files are known as patterns only; which files there are is data of this machine.
  const lists = stream.from.some((command) => command.name === "find" || command.name === "ls");
  if (stream.text !== undefined && isKnown(stream.text) && !lists) return [];
  if (stream.from.length === 0 && unknownParts(stream.text ?? "").includes(ITEM)) return ["-", ...variables];
  return traced(walk, [...variables, ...stream.from.flatMap(dataOf)]);
}

function dataOf(command: ShellCommand): readonly string[] {
  const { is } = programOf(command.name ?? "");
  const reads = command.reads.filter((path) => path !== "/dev/null" && path !== "/dev/stdin");
  const produces =
    (!is.has("filters") && (command.connects.length === 0 || !is.has("fetches"))) ||
    (is.has("printsVariables") && command.args.length === 0);
  return [...reads, ...secretsOf(command), ...(produces && !command.wrapper ? ["-"] : [])];
}

function secretsOf({ behaviours }: ShellCommand): readonly string[] {
  return behaviours.filter(({ kind }) => kind === "prints-secret").map(({ target }) => target);
}

/** Local data that substitutions and variables put into the words of a command. */
function inWords(
  { is, database }: Program,
  invocation: Invocation,
  hosts: readonly string[],
): readonly string[] {
  const { words, walk, name, scope } = invocation;
  const sent: string[] = [];
  // A proxy named on the line sees what is meant for the service.
  const proxied = name === "curl" && invocation.parsed.flags.includes("-x");
  for (const [index, word] of words.entries()) {
    if (isKnown(word)) continue;
    const header = !proxied && headerOf(word, words[index - 1]);
    // The address of a database holds its password, and goes there only.
    const isAddress = database !== undefined && unknownParts(word)[0] === shown(word);
    const variables = isAddress
      ? []
      : [...secretVariables(word), ...sourcedVariables(word, scope)].filter(
          (variable) => !isOwnService(variable, hosts, header),
        );
    const substituted = unknownParts(word).flatMap((part) => {
      const stream = walk.substitutions.get(part);
      if (stream === undefined) return [];
      if (header && stream.from.some((command) => isOwnService(command.name ?? "", hosts, false))) {
        withoutPrinting(walk, stream.from);
        return [];
      }
      if (stream.file !== undefined) return [stream.file];
      return traced(
        walk,
        stream.from.flatMap((command) => disclosedBy(command, is.has("looksUpNames"))),
      );
    });
    // As a user or password it may be meant for this service; nothing says so.
    const isLogin = /^(?:-u|--user)$/.test(words[index - 1] ?? "") && variables.length === 0;
    const vague = isLogin && secretVariables(word).some((variable) => wordsOf(variable).length === 0);
    sent.push(...variables.map((variable) => `$${variable}`), ...substituted, ...(vague ? ["-"] : []));
  }
  return sent;
}

/** Settings that a file with secrets holds as well: addresses, names, switches. */
const SETTING =
  /(?:URL|URI|HOST|HOSTNAME|PORT|ENDPOINT|BASE|DOMAIN|ORIGIN|REGION|ENV|STAGE|NAME|PATH|DIR|ID|VERSION|USER|USERNAME|EMAIL|LEVEL|MODE|DEBUG|PROJECT|BUCKET|BRANCH)$/i;

/** Variables whose values come from a file with secrets that the line has sourced, whatever their names. */
function sourcedVariables(word: string, scope: Scope): readonly string[] {
  if (scope.sourced !== "secrets") return [];
  return unknownParts(word)
    .flatMap((part) => /^\$\{?([A-Za-z_]\w*)\}?$/.exec(part)?.[1] ?? [])
    .filter((name) => !isSet(scope, name) && !SETTING.test(name) && !isSecretWhenPrinted(name));
}

/** What the output of a command says about this machine; a name server may learn nothing at all (`strict`). */
function disclosedBy(command: ShellCommand, strict: boolean): readonly string[] {
  const { is, harmlessWhen } = programOf(command.name ?? "");
  const reads = command.reads.filter((path) => strict || !isHarmlessFile(path));
  const tellsNothing = is.has("filters") || is.has("harmless") || harmlessWhen?.test(command.text) === true;
  const output = !tellsNothing && reads.length === 0 && !command.wrapper ? ["-"] : [];
  return [...reads, ...secretsOf(command), ...output];
}

/** True for a word that carries a credential the usual way: an authorization header or `-u`. */
function headerOf(word: string, before: string | undefined): boolean {
  const text = shown(word);
  return (
    /^(?:-H)?(?:authorization|proxy-authorization|x-api-key|api-key|private-token|x-auth-token|x-\w+-token|job-token|cookie)\s*:/i.test(
      text,
    ) || /^(?:-u|--user|--oauth2-bearer)$/.test(before ?? "")
  );
}

/** What a command discloses whose output goes to `> /dev/tcp/…`. */
function ownOutput(
  program: Program,
  invocation: Invocation,
  code: CodeFindings | undefined,
): readonly string[] {
  const { touches, words, parsed, line, walk, stdin } = invocation;
  const variables = words.flatMap(secretVariables).map((variable) => `$${variable}`);
  const parts = words
    .flatMap((word) => unknownParts(word))
    .flatMap((part) => walk.substitutions.get(part)?.from ?? []);
  // What it starts writes to the same place.
  const started = [
    ...hiddenCommands(program, { ...parsed, text: line }, walk, stdin.text),
    ...(code?.commands ?? []),
  ];
  const passesOn = program.is.has("filters") && started.length === 0;
  return [...touches.reads, ...variables, ...parts.flatMap(dataOf), ...(passesOn ? [] : ["-"])];
}

/** Words that say "secret" and not whose. */
const GENERIC = new Set(
  "API APP ACCESS AUTH TOKEN KEY SECRET PASSWORD PASSWD PASS PAT JWT BEARER USER ADMIN CI MY PROD DEV TEST STAGING CLIENT SERVICE PERSONAL DEPLOY BOT ID URL SESSION LOGIN ACCOUNT PRIVATE READ WRITE RO RW".split(
    " ",
  ),
);

/** Short names of services, with a part of their host names. */
const HOST_WORDS: Readonly<Record<string, readonly string[]>> = {
  gh: ["github", "githubcopilot"],
  github: ["github", "githubcopilot", "githubusercontent"],
  jira: ["atlassian"],
  confluence: ["atlassian"],
  atlassian: ["atlassian"],
  bitbucket: ["bitbucket", "atlassian"],
  datadog: ["datadoghq"],
  dd: ["datadoghq"],
  azure: ["azure", "microsoft", "windows", "azure-api", "microsoftonline"],
  openrouter: ["openrouter"],
  travis: ["travis-ci"],
  gemini: ["googleapis", "google"],
  npm: ["npmjs"],
  node: ["npmjs"],
  aws: ["amazonaws", "aws", "amazon"],
  gcp: ["googleapis", "google", "run.app"],
  gcloud: ["googleapis", "google", "run.app", "pkg.dev"],
  google: ["googleapis", "google"],
  az: ["azure", "microsoft", "windows"],
  hf: ["huggingface"],
  cf: ["cloudflare"],
  do: ["digitalocean"],
  tf: ["terraform", "hashicorp"],
  tg: ["telegram"],
  sentry: ["sentry"],
  glab: ["gitlab"],
  oc: ["openshift"],
};

/**
 * True when a secret goes to the service it belongs to: `$GITHUB_TOKEN` to `api.github.com`. A name that says nothing
 * of a service, such as `$API_TOKEN`, counts only inside an authorization header.
 */
function isOwnService(name: string, hosts: readonly string[], header: boolean): boolean {
  const words = wordsOf(name);
  if (words.length === 0) return header;
  return (
    hosts.length > 0 &&
    hosts.every((host) =>
      words.some((word) =>
        (HOST_WORDS[word] ?? [word]).some((part) =>
          part.includes(".")
            ? `.${host}`.endsWith(`.${part}`)
            : part.length > 2 && labels(host).includes(part),
        ),
      ),
    )
  );
}

/** The words of a name that say whose secret it is. */
function wordsOf(name: string): readonly string[] {
  return name
    .toUpperCase()
    .split("_")
    .filter((word) => word !== "" && !GENERIC.has(word))
    .map((word) => word.toLowerCase());
}

/** The labels that name who runs the host, as a whole: anyone can choose a subdomain, or register `notgithub.com`. */
function labels(host: string): readonly string[] {
  return host.split(".").slice(-2);
}
