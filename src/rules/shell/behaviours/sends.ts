import type { ShellCommand } from "../analysis.ts";
import type { CodeFindings } from "../code/read-code.ts";
import { type Stream, traced, type Walk } from "../interpret/frame.ts";
import type { Invocation } from "../programs/invocation.ts";
import { isOwnService } from "../programs/services.ts";
import { isKnown, shown, unknownParts } from "../words/partly-known-text.ts";
import { baseName } from "../words/text.ts";
import { deviceHost, isLocalHost } from "./hosts.ts";
import { isSecretName } from "./secret-names.ts";
import { secretVariables, withoutPrinting } from "./secrets.ts";

/** Programs that only pass on or change what flows through them. */
const TRANSFORMS = new Set(
  "cat echo printf tr cut sort uniq head tail base64 base32 xxd od hexdump gzip bzip2 xz zstd tee rev tac wc nl fold paste column jq yq sed awk gawk grep rg xargs read : true sponge pv iconv expand openssl gpg sleep while test [ cd export set".split(
    " ",
  ),
);

/** Programs whose output came from the host they name. Others may name one and still print what is here. */
const FETCHERS = new Set(
  "curl wget http https xh aria2c lynx w3m links ssh nc ncat netcat telnet dig nslookup host ping getent whois docker kubectl aws gcloud gsutil az gh glab rclone mc s3cmd psql mysql redis-cli sftp ftp openssl socat traceroute nmap".split(
    " ",
  ),
);

/** Programs whose output may be part of an address without telling anything about this machine's data. */
const HARMLESS = new Set(
  "uname arch date nproc seq uuidgen openssl node python python3 npm jq sed awk grep tr cut head tail sort uniq echo printf basename dirname curl wget dpkg lsb_release rpm getconf mktemp sw_vers git test [ tput expr bc wc rustc go cargo urlencode".split(
    " ",
  ),
);
const HARMLESS_GIT =
  /^git (?:rev-parse|describe|branch|symbolic-ref|tag|rev-list|log -1|ls-remote|config --get remote)/;
const HARMLESS_FILES = new Set(
  ".nvmrc .node-version .tool-versions package.json cargo.toml pyproject.toml go.mod os-release".split(" "),
);

function isHarmlessFile(path: string): boolean {
  const name = baseName(path).toLowerCase();
  return HARMLESS_FILES.has(name) || (name.includes("version") && /^[\w.-]+$/.test(name));
}

const ALWAYS_STDIN = new Set(
  "nc ncat netcat telnet socat mail mailx mutt sendmail ftp tftp ssh pastebinit wgetpaste gist http https xh rclone wormhole croc nc.openbsd nc.traditional lftp msmtp swaks logger".split(
    " ",
  ),
);
const NAME_LOOKUPS = new Set("dig nslookup host ping ping6 drill kdig resolvectl getent doggo".split(" "));

/** What a command sends to another machine: paths, `$VARIABLES`, or `-` for data that has no name. */
export function sentBy(subject: Invocation): readonly string[] {
  if (subject.touches.connects.length + subject.redirections.writes.length === 0) return [];
  const hosts = remoteHosts(subject);
  const leavesByRedirect = subject.redirections.writes.some((path) => isRemoteDevice(path));
  if (hosts.length === 0 && !leavesByRedirect) return [];
  const sent = [...subject.touches.uploads, ...inWords(subject, hosts), ...inDialogue(subject)];
  if (leavesByRedirect) sent.push(...ownOutput(subject));
  if (leavesByRedirect || takesStdin(subject)) sent.push(...flowing(subject.stdin, subject.walk));
  return [...new Set(sent)];
}

/** What inline code sends, when it both reaches out and takes something along. */
export function sentByCode(code: CodeFindings): readonly string[] {
  if (!code.network || (code.hosts.length > 0 && code.hosts.every(isLocalHost))) return [];
  // What it starts may print anything into what it sends.
  const started = code.commands.length > 0 ? ["-"] : [];
  const variables = code.environment
    .filter((name) => name === "*" || isSecretName(name))
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

function isRemoteDevice(path: string): boolean {
  const host = deviceHost(path);
  return host !== undefined && !isLocalHost(host);
}

function takesStdin({ name, parsed, words }: Invocation): boolean {
  if (ALWAYS_STDIN.has(name)) return true;
  if (name === "openssl") return words[0] === "s_client";
  if (/^(?:aws|gsutil|gcloud|mc|s3cmd)$/.test(name)) return words.includes("-");
  if (name === "gh") return parsed.args[0] === "gist" || words.includes("-") || words.includes("@-");
  return (
    parsed.options.some(({ value }) => /(?:^|[=@<])(?:-|\/dev\/stdin|\.)$/.test(value)) &&
    !(parsed.options.length === 1 && /^-[oO]$/.test(parsed.options[0]?.flag ?? ""))
  );
}

/** Local data in a stream, by the files and programs it comes from. */
function flowing(stream: Stream, walk: Walk): readonly string[] {
  if (stream.file !== undefined) return stream.file === "/dev/null" ? [] : [stream.file];
  const variables = secretVariables(stream.text ?? "").map((name) => `$${name}`);
  // The names of files are known as patterns only; which files there are is data of this machine.
  const lists = stream.from.some((command) => command.name === "find" || command.name === "ls");
  if (stream.text !== undefined && isKnown(stream.text) && !lists) return [];
  return traced(walk, [...variables, ...stream.from.flatMap(dataOf)]);
}

function dataOf(command: ShellCommand): readonly string[] {
  const secrets = command.behaviours
    .filter((behaviour) => behaviour.kind === "prints-secret")
    .map((behaviour) => behaviour.target);
  const reads = command.reads.filter((path) => path !== "/dev/null" && path !== "/dev/stdin");
  const produces =
    command.name === undefined ||
    (!TRANSFORMS.has(command.name) && (command.connects.length === 0 || !FETCHERS.has(command.name))) ||
    isDump(command);
  return [...reads, ...secrets, ...(produces && !command.wrapper ? ["-"] : [])];
}

/** `set`, `export` and the like without arguments print every variable. */
function isDump(command: ShellCommand): boolean {
  return (
    /^(?:set|export|declare|typeset|readonly|env|printenv)$/.test(command.name ?? "") &&
    command.args.length === 0
  );
}

/** Files named in the dialogue of a transfer program, as in `sftp host <<< "put file"`. */
function inDialogue({ name, stdin, words, walk }: Invocation): readonly string[] {
  if (/^(?:sftp|ftp|tftp|lftp|smbclient)$/.test(name)) {
    const text = [stdin.text ?? "", ...words, words.slice(words.indexOf("-c") + 1).join(" ")].join("\n");
    return text.split(/[\n;"']/).flatMap((statement) => {
      const [command = "", ...files] = statement.trim().split(/\s+/);
      const sends = /^(?:m?put|reput)$/.test(command) || (command === "mirror" && files.includes("-R"));
      return sends ? files.filter((file) => !file.startsWith("-")).slice(0, command === "mput" ? 64 : 1) : [];
    });
  }
  if (name !== "curl" || !words.some((word) => word === "-K" || word === "--config")) return [];
  const text = words
    .flatMap((word) => unknownParts(word))
    .map((part) => walk.substitutions?.get(part)?.text ?? "");
  return [...[...text, stdin.text ?? ""].join("\n").matchAll(/[@=]"?@?((?:[~./]|\.)[^\s"]+)/g)].map(
    (match) => match[1] ?? "",
  );
}

/** Local data that substitutions and variables put into the words of a command. */
function inWords(subject: Invocation, hosts: readonly string[]): readonly string[] {
  const { words, walk, name } = subject;
  const sent: string[] = [];
  // A proxy named on the line sees what is meant for the service.
  const proxied = name === "curl" && subject.parsed.flags.includes("-x");
  for (const [index, word] of words.entries()) {
    if (isKnown(word)) continue;
    const header = !proxied && headerOf(word, words[index - 1]);
    const variables = secretVariables(word).filter((variable) => !isOwnService(variable, hosts, header));
    const substituted = unknownParts(word).flatMap((part) => {
      const stream = walk.substitutions?.get(part);
      if (stream === undefined) return [];
      if (header && stream.from.some((command) => isOwnService(command.name ?? "", hosts, false))) {
        withoutPrinting(walk, stream.from);
        return [];
      }
      if (stream.file !== undefined) return [stream.file];
      return traced(
        walk,
        stream.from.flatMap((command) => toldBy(command, NAME_LOOKUPS.has(name))),
      );
    });
    sent.push(...variables.map((variable) => `$${variable}`), ...substituted);
  }
  return sent;
}

function toldBy(command: ShellCommand, strict: boolean): readonly string[] {
  const reads = command.reads.filter((path) => strict || !isHarmlessFile(path));
  const harmless =
    command.name !== undefined &&
    HARMLESS.has(command.name) &&
    (command.name !== "git" || HARMLESS_GIT.test(command.text));
  const secrets = command.behaviours
    .filter((behaviour) => behaviour.kind === "prints-secret")
    .map((behaviour) => behaviour.target);
  if (harmless || (command.name !== undefined && TRANSFORMS.has(command.name))) return [...reads, ...secrets];
  return [...reads, ...secrets, ...(reads.length === 0 && !command.wrapper ? ["-"] : [])];
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

/** What a command whose output goes out by `> /dev/tcp/…` tells. */
function ownOutput(subject: Invocation): readonly string[] {
  const { name, touches, words } = subject;
  const variables = words.flatMap(secretVariables).map((variable) => `$${variable}`);
  const parts = words
    .flatMap((word) => unknownParts(word))
    .flatMap((part) => subject.walk.substitutions?.get(part)?.from ?? []);
  return [...touches.reads, ...variables, ...parts.flatMap(dataOf), ...(TRANSFORMS.has(name) ? [] : ["-"])];
}
