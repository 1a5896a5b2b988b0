const WORDS: ReadonlySet<string> = new Set([
  "password",
  "passwd",
  "passphrase",
  "pwd",
  "secret",
  "secrets",
  "token",
  "apikey",
  "auth",
  "authorization",
  "credential",
  "credentials",
  "cookie",
  "privatekey",
  "accesskey",
]);

/** A second word that makes a secret of `key`: an `api_key` is one, a `sort_key` is not. */
const KEYS: ReadonlySet<string> = new Set([
  "api",
  "access",
  "private",
  "secret",
  "signing",
  "encryption",
  "ssh",
  "service",
]);

/** Words after `token` that make it a number of tokens, not a token. */
const COUNTS: ReadonlySet<string> = new Set(["count", "limit", "budget", "usage", "type"]);

/**
 * True for the name of a field or an environment variable that holds a secret: `api_key`, `GITHUB_TOKEN`,
 * `dbPassword`, `Authorization`. `max_tokens` and `token_count` are not.
 */
export function isSecretName(name: string): boolean {
  if (name.length > LONGEST) return false;
  let secret = remembered.get(name);
  if (secret === undefined) {
    secret = hasSecretWord(name);
    if (remembered.size >= MOST_NAMES) remembered.clear();
    remembered.set(name, secret);
  }
  return secret;
}

const LONGEST = 128;

/** Records have few names of fields, again and again. */
const MOST_NAMES = 1000;
const remembered = new Map<string, boolean>();

function hasSecretWord(name: string): boolean {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  return words.some((word, at) => {
    if (word === "token" && COUNTS.has(words[at + 1] ?? "")) return false;
    if (WORDS.has(word))
      return !(word === "pwd" && words.length === 1) && !(word === "auth" && words.length > 2);
    return word === "key" && KEYS.has(words[at - 1] ?? "");
  });
}
