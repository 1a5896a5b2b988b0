import { anyOf, KEY_OWNERS, SECRET_ENDS, TOKEN_OWNERS, WITHHELD_WORDS } from "../../shared/secret-words.ts";

/**
 * Words in a name that mark a secret. A name is split at `_` and before capitals, and digits at the end of a word are
 * ignored: `KEY` is a word of `SSH_KEY_B64`, not of `KEYBOARD`.
 */
const WORDS: ReadonlySet<string> = new Set(WITHHELD_WORDS.map((word) => word.toUpperCase()));

const SECRET_NAMES: readonly RegExp[] = [
  // Anywhere in the name, also inside a word.
  new RegExp(`${anyOf(SECRET_ENDS)}|CREDENTIAL|SERVICE_?ACCOUNT`, "i"),
  // Two words written as one.
  /TOKENS?\d*(_|$)/,
  new RegExp(`${anyOf(KEY_OWNERS)}_?KEY|${anyOf(TOKEN_OWNERS)}_?TOKEN`, "i"),
  /(^|_)(DB|PG|MYSQL|REDIS|SMTP|MAIL|FTP|USER|ROOT|ADMIN)(PASS|PWD?)(_|$)/,
  // Addresses that contain a password.
  /(^|_)(DATABASE|DB|POSTGRES|POSTGRESQL|MYSQL|MONGO|MONGODB|REDIS|AMQP)_(URL|URI)$/,
  /(^|_)CONNECTION_STRING$/,
  /^PGPASSFILE$/,
];

/** Services that issue keys: all their variables are withheld. */
const SECRET_SERVICES = new Set(
  "AWS ANTHROPIC OPENAI AZURE GEMINI MISTRAL GROQ COHERE HF HUGGINGFACE REPLICATE STRIPE TWILIO VAULT".split(
    " ",
  ),
);

/**
 * Names that look like secrets and are not: the shell's folder, the socket of the SSH agent (git needs it, and it
 * reveals no key), where Gemini CLI works, and numbers of tokens.
 */
const ORDINARY_NAMES: readonly RegExp[] = [
  /^PWD$/,
  /^SSH_AUTH_SOCK$/,
  /^GEMINI_(?:CWD|PROJECT_DIR|PLANS_DIR|SESSION_ID)$/,
  /(^|_)((MAX|MIN|NUM)(_\w+)?|INPUT|OUTPUT|THINKING)_TOKENS$/,
  /(^|_)TOKENS?_(COUNT|LIMIT|BUDGET)$/,
];

/** True for a variable that looks like a key, a token, a password or the like. */
export function isWithheld(name: string): boolean {
  const parted = name.replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, "_").toUpperCase();
  const isSecret =
    SECRET_SERVICES.has(parted.slice(0, Math.max(0, parted.indexOf("_")))) ||
    // Each word without the digits at its end.
    (parted.match(/[A-Z\d]*[A-Z]/g) ?? []).some((word) => WORDS.has(word)) ||
    SECRET_NAMES.some((pattern) => pattern.test(parted));
  return isSecret && !ORDINARY_NAMES.some((pattern) => pattern.test(parted));
}

/** The variables a program may have: all except those that look like secrets, unless they are in `handedOn`. */
export function childEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  handedOn: readonly string[] = [],
): Record<string, string | undefined> {
  const passed: Record<string, string | undefined> = {};
  for (const name of Object.keys(environment)) {
    if (!isWithheld(name) || handedOn.includes(name)) passed[name] = environment[name];
  }
  return passed;
}
