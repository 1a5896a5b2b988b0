/**
 * Words of a name that mark what only its owner should have. A name is taken apart at `_` and where a capital follows a
 * small letter, and digits at the end of a word do not count, so that `KEY` is in `SSH_KEY_B64` and not in `KEYBOARD`.
 */
const SECRET_WORDS = new Set(
  (
    "KEY KEYS TOKEN TOKENS JWT PAT AUTH AUTHORIZATION BEARER COOKIE COOKIES PASS PW PWD PEM OTP TOTP DSN WEBHOOK " +
    "WEBHOOKS"
  ).split(" "),
);

/**
 * Names of secrets beside those that have a secret word. Each pattern is asked only when one of the texts before it, which
 * all that it fits has, is in the name: most names have none of them, and a pattern takes long to compile.
 */
const SECRET_NAMES: readonly (readonly [signs: readonly string[], pattern: RegExp])[] = [
  // Anywhere in the name, also inside a word.
  [
    ["SECRET", "PASS", "CREDENTIAL", "ACCOUNT"],
    /SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|SERVICE_?ACCOUNT/,
  ],
  // Two words written as one.
  [["TOKEN"], /TOKENS?\d*(_|$)/],
  [["KEY"], /(API|ACCESS|PRIVATE|SSH|GPG|PGP|DEPLOY|SIGNING|ENCRYPTION|MASTER|LICENSE)_?KEY/],
  [["TOKEN"], /(API|AUTH|ACCESS|REFRESH|BEARER)_?TOKEN/],
  [["PASS", "PW"], /(^|_)(DB|PG|MYSQL|REDIS|SMTP|MAIL|FTP|USER|ROOT|ADMIN)(PASS|PWD?)(_|$)/],
  // Addresses that carry a password.
  [["_UR"], /(^|_)(DATABASE|DB|POSTGRES|POSTGRESQL|MYSQL|MONGO|MONGODB|REDIS|AMQP)_(URL|URI)$/],
  [["_STRING"], /(^|_)CONNECTION_STRING$/],
  [["PASS"], /^PGPASSFILE$/],
];

/** Services that issue keys: everything of them is withheld. */
const SECRET_SERVICES = new Set(
  "AWS ANTHROPIC OPENAI AZURE GEMINI MISTRAL GROQ COHERE HF HUGGINGFACE REPLICATE STRIPE TWILIO VAULT".split(
    " ",
  ),
);

/**
 * What looks like a secret and is none: the shell's folder, the socket by which an agent of SSH is asked to sign (git
 * needs it, and no key comes out of it), and how many tokens a model may use.
 */
const ORDINARY_NAMES: readonly RegExp[] = [
  /^PWD$/,
  /^SSH_AUTH_SOCK$/,
  /(^|_)((MAX|MIN|NUM)(_\w+)?|INPUT|OUTPUT|THINKING)_TOKENS$/,
  /(^|_)TOKENS?_(COUNT|LIMIT|BUDGET)$/,
];

/** True for a variable that looks like a key, a token, a password or the like. */
export function isSecretName(name: string): boolean {
  const parted = name.replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, "_").toUpperCase();
  const isSecret =
    SECRET_SERVICES.has(parted.slice(0, Math.max(0, parted.indexOf("_")))) ||
    // Each word without the digits at its end.
    (parted.match(/[A-Z\d]*[A-Z]/g) ?? []).some((word) => SECRET_WORDS.has(word)) ||
    SECRET_NAMES.some(
      ([signs, pattern]) => signs.some((sign) => parted.includes(sign)) && pattern.test(parted),
    );
  return isSecret && !ORDINARY_NAMES.some((pattern) => pattern.test(parted));
}

/**
 * The variables a program may have: all but those that look like secrets, and of these the ones it was given by name.
 * `PATH`, `HOME`, the language and whatever else does not look like a secret pass.
 */
export function childEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  handedOn: readonly string[] = [],
): Record<string, string | undefined> {
  const passed: Record<string, string | undefined> = {};
  for (const name of Object.keys(environment)) {
    if (!isSecret(name) || handedOn.includes(name)) passed[name] = environment[name];
  }
  return passed;
}

/** Names are few and asked about at every start. */
const MOST_NAMES = 4096;
const known = new Map<string, boolean>();

function isSecret(name: string): boolean {
  let secret = known.get(name);
  if (secret === undefined) {
    secret = isSecretName(name);
    if (known.size >= MOST_NAMES) known.clear();
    known.set(name, secret);
  }
  return secret;
}
