import type { ShellCommand } from "../analysis.ts";
import type { Walk } from "../interpret/frame.ts";
import type { Invocation } from "../programs/invocation.ts";
import { isKnown, shown, unknownParts } from "../words/partly-known-text.ts";
import { isSecretName, variablesIn } from "./secret-names.ts";

const NONE: readonly string[] = [];
const PRINTERS = new Set(["echo", "printf", "print"]);

/** Commands that print a secret: by the program, how the rest of the line begins. Only that of one program is compiled. */
const SECRET_COMMANDS: ReadonlyMap<string, RegExp> = new Map([
  ["gh", /^ auth (?:token|status .*--show-token)/],
  ["glab", /^ auth token/],
  [
    "gcloud",
    /^ (?:auth (?:application-default )?print-\S+|secrets versions access|iam service-accounts keys create)/,
  ],
  [
    "aws",
    /^ (?:secretsmanager get-secret-value|ssm get-parameters?\b.*--with-decryption|configure (?:get \S*(?:secret|token|key)|export-credentials)|sts (?:get-session-token|assume-role)|ecr get-login-password)/,
  ],
  ["az", /^ (?:account get-access-token|keyvault secret (?:show|download))/],
  ["npm", /^ (?:config get \S*(?:_auth|token|password)|token create)/],
  ["yarn", /^ config get \S*(?:token|auth)/],
  ["kubectl", /^ (?:get secrets? .*(?:-o|--output|-A|--template)|config view .*--raw)/],
  ["oc", /^ whoami -t/],
  ["vault", /^ (?:read|kv get|print token)/],
  ["security", /^ (?:find-(?:generic|internet)-password|dump-keychain|export)/],
  ["pass", /^ (?:show )?[\w/-]+$/],
  ["op", /^ (?:read|item get|document get)/],
  ["bw", /^ (?:get|list|export)/],
  ["lpass", /^ show/],
  ["secret-tool", /^ (?:lookup|search)/],
  ["keyring", /^ get/],
  ["doppler", /^ secrets/],
  ["heroku", /^ (?:config(?:$| )|auth:token)/],
  ["fly", /^ auth token/],
  ["vercel", /^ env pull/],
  [
    "git",
    /^ (?:config (?:--\S+ )*\S*(?:extraheader|credential|token|password)\S*$|credential (?:fill|approve)|credential-\w+ get)/,
  ],
  ["gpg", /^ .*--export-secret-\S+/],
  ["ssh-keygen", /^ -y/],
  ["chezmoi", /^ secret/],
  ["ansible-vault", /^ (?:view|decrypt)/],
  ["sops", /^ (?:-d|--decrypt|decrypt)/],
  ["terraform", /^ output .*(?:secret|password|token)/],
  ["pulumi", /^ config .*--show-secrets/],
  ["kwallet-query", /^/],
  ["pbpaste", /^/],
  ["xclip", /^ -o/],
  ["wl-paste", /^/],
]);

/** Each store of Docker's passwords has a program of its own. */
const DOCKER_CREDENTIALS = "docker-credential-";

function secretCommandsOf(program: string): RegExp | undefined {
  return program.startsWith(DOCKER_CREDENTIALS) ? /^ get/ : SECRET_COMMANDS.get(program);
}

/** True for a program that {@link printedSecrets} may find something for. */
export function mayPrintSecrets(program: string): boolean {
  return PRINTERS.has(program) || program === "printenv" || secretCommandsOf(program) !== undefined;
}

/** The variables or programs whose secret a command prints. */
export function printedSecrets(subject: Invocation): readonly string[] {
  const { name, words, parsed } = subject;
  if (PRINTERS.has(name))
    return words.every(isKnown)
      ? NONE
      : words.flatMap((word) => secretVariables(word)).map((variable) => `$${variable}`);
  if (name === "printenv") return parsed.args.filter(isSecretName).map((variable) => `$${variable}`);
  const printing = secretCommandsOf(name);
  if (printing === undefined) return NONE;
  const rest = shown(subject.line.slice(subject.first.length)).slice(0, 400);
  return printing.test(rest) ? [(name + rest).split(" ").slice(0, 3).join(" ")] : NONE;
}

/** Secret variables whose values are part of a marked word. */
export function secretVariables(word: string): readonly string[] {
  if (isKnown(word)) return NONE;
  return unknownParts(word)
    .filter((part) => !part.startsWith("$("))
    .flatMap(variablesIn)
    .filter(isSecretName);
}

/** `echo $TOKEN | docker login --password-stdin` hands a secret to where it belongs: nothing is shown. */
export function settleLogins(walk: Walk, start: number): void {
  const commands = walk.commands.slice(start);
  const printing = commands.filter(printsSecret);
  if (printing.length === 0) return;
  const takesSecret = commands.some(
    (command) =>
      command.args.includes("login") ||
      command.flags.includes("--password-stdin") ||
      command.flags.includes("--with-token") ||
      isSecretSetter(command),
  );
  if (takesSecret) withoutPrinting(walk, printing);
}

function printsSecret({ behaviours }: ShellCommand): boolean {
  return behaviours.some((behaviour) => behaviour.kind === "prints-secret");
}

function isSecretSetter(command: ShellCommand): boolean {
  return /^(?:gh secret set|vercel env add|wrangler secret put|fly secrets|doppler secrets set|npm config set)/.test(
    command.text,
  );
}

/** Takes back that these commands print a secret, because what they print is put to its proper use. */
export function withoutPrinting(walk: Walk, commands: readonly ShellCommand[]): void {
  for (const command of commands) {
    const at = walk.commands.indexOf(command);
    if (at === -1 || !printsSecret(command)) continue;
    walk.commands[at] = {
      ...command,
      behaviours: command.behaviours.filter((behaviour) => behaviour.kind !== "prints-secret"),
    };
  }
}
