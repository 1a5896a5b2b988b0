import { isSecretName } from "./secret-names.ts";

/** What stands where a secret was. */
const REDACTED = "[redacted]";

/** Takes secrets out of what is written down. */
export interface Redactor {
  /** The text without secrets, in time linear in its length. */
  text(text: string): string;
  /** A copy of a JSON value without secrets: by the name of their field, and inside texts. */
  value(value: unknown): unknown;
}

/** Nothing shorter can be told from other text. */
const LEAST_VALUE = 8;
const DEEPEST = 100;

/**
 * Shapes of secrets, with what of a match stays in front of it. Each starts where a word starts and has no repetition
 * inside a repetition, so that none looks twice at the same text.
 */
const SHAPES: readonly RegExp[] = [
  /(-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----)(?:(?!-----END )[\s\S])*/g,
  /(?<![\w-])()(?:sk|pk|rk)[-_][\w-]{16,}/g,
  /(?<![\w-])()(?:gh[pousr]_|github_pat_|glpat-|npm_|hf_|xox[a-z]-|xapp-|AIza|ya29\.|dop_v1_|SG\.)[\w.-]{10,}/g,
  /(?<![\w-])()(?:AKIA|ASIA)[A-Z0-9]{12,}/g,
  /(?<![\w-])()eyJ[\w-]{8,}\.[\w-]{4,}(?:\.[\w-]*)?/g,
  /(?<![\w-])((?:Bearer|Basic|Token)[ \t]{1,8})[\w.~+/=-]{8,}/gi,
  /(:\/\/[^\s/:@"']{0,200}:)[^\s/@"']{1,400}(?=@)/g,
];

/** What a text has that one of the shapes fits; most texts have nothing of it, and are done. */
const SHAPED =
  /-----BEGIN|[spr]k[-_]|gh[pousr]_|github_pat_|glpat-|npm_|hf_|xox|xapp-|AIza|ya29|dop_v1_|SG\.|AKIA|ASIA|eyJ|bearer|basic|token|:\/\//i;

/** A word that the name of a secret has. */
const SECRETIVE = /pass|pwd|secret|token|key|auth|credential|cookie/i;

/** `api_key=…` and `"password": "…"`, and `--token …`, in a text; the name is looked at by itself. */
const NAMED: readonly RegExp[] = [
  /(?<![\w-])(-{0,2}([A-Za-z][\w-]{0,60})\\?["']?[ \t]{0,4}[:=][ \t]{0,4}\\?["']?)([^\s"'\\,;&]+)/g,
  /(?<![\w-])(--([A-Za-z][\w-]{0,60})[ \t]{1,4}\\?["']?)([^\s"'\\,;&]+)/g,
];

/**
 * Makes a redactor. The values of secret variables of the environment are taken out wherever they stand.
 */
export function createRedactor(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Redactor {
  const known = Object.entries(environment)
    .flatMap(([name, value = ""]) => (value.length >= LEAST_VALUE && isSecretName(name) ? [value] : []))
    .sort((a, b) => b.length - a.length);
  const text = (given: string): string => {
    if (given.length < LEAST_VALUE) return given;
    let clean = given;
    for (const secret of known) clean = clean.replaceAll(secret, REDACTED);
    if (SHAPED.test(clean)) for (const shape of SHAPES) clean = clean.replaceAll(shape, `$1${REDACTED}`);
    if (!SECRETIVE.test(clean)) return clean;
    for (const named of NAMED) {
      clean = clean.replaceAll(named, (whole: string, before: string, name: string, value: string) =>
        // A variable is named here, not its value.
        isSecretName(name) && !value.startsWith("$") ? `${before}${REDACTED}` : whole,
      );
    }
    return clean;
  };
  return { text, value: (value) => withoutSecrets(value, text, false, 0) };
}

function withoutSecrets(value: unknown, text: Redactor["text"], secret: boolean, depth: number): unknown {
  if (typeof value === "string") return secret && value !== "" ? REDACTED : text(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth > DEEPEST) return "[too deep]";
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, text, secret, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      text(key),
      withoutSecrets(item, text, secret || isSecretName(key), depth + 1),
    ]),
  );
}
