/** Variables of this shape hold what only their owner should have: keys, tokens, passwords. */
const SECRET_NAMES: readonly RegExp[] = [
  // At the end of the name.
  /(^|_)(KEYS?|TOKEN|JWT|PAT|AUTH|BEARER|COOKIE|PASS|PWD_HASH|WEBHOOK_URL)$/,
  // Anywhere in the name.
  /(API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL)/,
  /(API|AUTH|ACCESS|REFRESH|BEARER)_?TOKEN|_TOKEN_/,
  // Addresses that carry a password.
  /(^|_)(DATABASE|DB|POSTGRES|POSTGRESQL|MYSQL|MONGO|MONGODB|REDIS|AMQP)_(URL|URI)$/,
  /(^|_)(CONNECTION_STRING|DSN)$/,
  /^(PGPASSFILE|MYSQL_PWD)$/,
  // Everything of a service that issues keys.
  /^(AWS|ANTHROPIC|OPENAI|AZURE|GEMINI|MISTRAL|GROQ|COHERE|HF|HUGGINGFACE|REPLICATE|STRIPE|TWILIO|VAULT)_/,
];

/** True for a variable that looks like a key, a token, a password or the like. */
export function isSecretName(name: string): boolean {
  const upper = name.toUpperCase();
  return SECRET_NAMES.some((pattern) => pattern.test(upper));
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
