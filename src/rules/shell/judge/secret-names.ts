import { CREDENTIAL_FILES, CREDENTIAL_FOLDERS } from "../../../shared/protected-files.ts";
import { anyOf, KEY_OWNERS, PRINTED_WORDS, SECRET_ENDS } from "../../../shared/secret-words.ts";
import type { ParsedOptions } from "../analysis.ts";
import { isKnown, unknownParts } from "../words/text.ts";

const SECRET_WORD = new RegExp(`(?:^|_)${anyOf(PRINTED_WORDS)}(?:_|$)`, "i");
const SECRET_PART = new RegExp(`${anyOf(KEY_OWNERS)}_?KEY`, "i");
const SECRET_END = new RegExp(
  `(?:TOKEN|APIKEY|CREDENTIALS|_KEY|DATABASE_URL|_DSN|${anyOf(SECRET_ENDS)})$`,
  "i",
);
const HARMLESS = new Set(["PWD", "OLDPWD", "SSH_AUTH_SOCK", "XAUTHORITY", "PUBLIC_KEY"]);

/** What a command prints that prints every variable. */
export const ALL_VARIABLES: readonly string[] = ["$*"];

/** True for a variable whose name says that its value is a secret, such as `NPM_TOKEN`. */
export function isSecretWhenPrinted(name: string): boolean {
  const upper = name.replace(/([a-z])([A-Z])/g, "$1_$2").toUpperCase();
  if (HARMLESS.has(upper) || upper.includes("PUBLIC")) return false;
  return SECRET_WORD.test(upper) || SECRET_PART.test(upper) || SECRET_END.test(upper);
}

/** Names of the variables in a piece of shell text whose values (not lengths, not `:+` tests) appear in it. */
function variablesIn(source: string): readonly string[] {
  const names: string[] = [];
  // The first few characters say which key it is, and no more.
  for (const match of source.matchAll(/\$(?:\{(!?)([A-Za-z_]\w*)(:?\+|:0:[1-8]\})?|([A-Za-z_]\w*))/g)) {
    if (match[3] === undefined) names.push(match[2] ?? match[4] ?? "");
  }
  return names;
}

/** Secret variables whose values are part of a partly known word. */
export function secretVariables(word: string): readonly string[] {
  if (isKnown(word)) return [];
  return unknownParts(word)
    .filter((part) => !part.startsWith("$("))
    .flatMap(variablesIn)
    .filter(isSecretWhenPrinted);
}

const IN_HOME = [...CREDENTIAL_FOLDERS, ...CREDENTIAL_FILES, ".pgpass", ".vault-token"]
  .map((name) => name.slice(1))
  .join("|");
const LOOKS_SECRET = new RegExp(
  `(?:^|[/=@])(?:\\.env(?:$|\\.)|\\.(?:${IN_HOME})(?:$|/)|id_(?:rsa|dsa|ecdsa|ed25519)(?:[.~_-](?!pub)[\\w.-]*)?$|credentials|secrets?(?:$|[./]))|\\.(?:pem|key|p12|pfx|jks|kdbx|tfstate)(?:\\.(?:bak|backup|old|orig|save|copy)|~)?$`,
);
/** Code about secrets is no secret. */
const SOURCE = /\.(?:[cm]?[jt]sx?|py|go|rs|rb|java|kt|swift|c|h|cpp|cs|php|vue|svelte|md|rst|html|css)$/;
const USES_NEXT =
  /^--?(?:env|dotenv|config|key|cert|ca|identity|kubeconfig|var-file|credential|private|public|tls|ssl|exclude|ignore|skip|omit|without)/;

/** Files with the look of a secret among the words of a program no table knows: it may do anything with them. */
export function namedSecrets(words: readonly string[]): readonly string[] {
  return words.filter(
    (word, index) =>
      !word.startsWith("-") &&
      // A sentence that mentions one.
      !word.includes(" ") &&
      LOOKS_SECRET.test(word) &&
      !SOURCE.test(word) &&
      !USES_NEXT.test(words[index - 1] ?? ""),
  );
}

const MAY_FIND_SECRET =
  /TOK|KEY|SEC|PAS|PWD|AUTH|CRED|CRE|API|JWT|DSN|COOKIE|AWS|GCP|AZURE|GITHUB|GH_|^\^?NPM_?$|NPM_?TOK|OPENAI|ANTHROPIC|STRIPE|SLACK|DATABASE|DB_|URL|SESSION|PRIVATE|PAT\b/i;

/** A pattern with a word of its own that no name of a secret has. */
function isHarmlessSearch(pattern: string): boolean {
  const isAnchored = pattern.startsWith("^");
  return pattern
    .split(/\\?\|/)
    .every(
      (part) => (isAnchored ? /[A-Za-z_]{2,}/ : /[A-Za-z_]{3,}/).test(part) && !MAY_FIND_SECRET.test(part),
    );
}

/** A search among variables that shows names alone, or lines of variables that are no secrets. */
export function findsNoSecret({ flags, args, options }: ParsedOptions): boolean {
  const given = options.filter(({ flag }) => flag === "-e").map(({ value }) => value);
  const patterns = given.length > 0 ? given : args.slice(0, 1);
  if (patterns.length === 0 || flags.some((flag) => /^-[vABCfz]$/.test(flag))) return false;
  return patterns.every((one) => isHarmlessSearch(one) || (flags.includes("-o") && NAME_ALONE.test(one)));
}

/** What stands before the first `=`. */
const NAME_ALONE = /^\^\[(?:\^=|[A-Za-z0-9_-]+)\][*+]=?$/;
