import { anyOf, KEY_OWNERS, SECRET_ENDS, SECRET_WORDS, TOKEN_OWNERS } from "../../shared/secret-words.ts";

const WORDS: ReadonlySet<string> = new Set(SECRET_WORDS);
const OWNERS: ReadonlySet<string> = new Set(KEY_OWNERS);

/** Ends of compound words: `PGPASSWORD`, `DBPASS`. */
const ENDS = new RegExp(
  `(?:${anyOf(SECRET_ENDS)}|${anyOf(TOKEN_OWNERS)}token|${anyOf(KEY_OWNERS)}key|[a-z0-9]pass)$`,
);

/** Words that only end like the name of a secret. */
const OTHERS = /^(?:by|com|encom|sur|tres|over|under)pass$/;

/** Words that are secret only after others: `DB_PASS`, but not `pass: 3`. */
const BESIDE: ReadonlySet<string> = new Set(["pwd", "pass"]);

/** Words after `token` that make it a number of tokens. */
const COUNTS: ReadonlySet<string> = new Set(["count", "limit", "budget", "usage", "type"]);

/**
 * True for the name of a field, an option or a variable with a secret: `api_key`, `GITHUB_TOKEN`, `dbPassword`,
 * `Authorization`. `max_tokens` and `token_count` are not.
 */
export function isSecretField(name: string): boolean {
  if (name.length > LONGEST) return false;
  let secret = remembered.get(name);
  if (secret === undefined) {
    secret = hasSecretWord(name);
    if (remembered.size >= MOST_NAMES) remembered.clear();
    remembered.set(name, secret);
  }
  return secret;
}

/** True for an argument whose next argument is a secret: `--api-key`, but not `--api-key=…`. */
export function isSecretOption(argument: unknown): boolean {
  return (
    typeof argument === "string" &&
    argument.startsWith("-") &&
    /^--?[A-Za-z][\w-]*$/.test(argument) &&
    isSecretField(argument)
  );
}

const LONGEST = 128;

/** Results by name: records repeat a few names. */
const MOST_NAMES = 1000;
const remembered = new Map<string, boolean>();

function hasSecretWord(name: string): boolean {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
  return words.some((word, at) => {
    if (word === "token" && COUNTS.has(words[at + 1] ?? "")) return false;
    if (BESIDE.has(word)) return at > 0 && at === words.length - 1;
    if (WORDS.has(word)) return !(word === "auth" && words.length > 2);
    if (ENDS.test(word)) return !OTHERS.test(word);
    return word === "key" && OWNERS.has(words[at - 1] ?? "");
  });
}
