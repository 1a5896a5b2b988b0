import { isSecretName } from "../process/environment.ts";
import { isSecretField } from "./secret-fields.ts";
import { secretsOfOptions } from "./secret-options.ts";
import { secretsByName } from "./secret-values.ts";

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
const LONGEST_REMEMBERED = 40;
const MOST_REMEMBERED = 500;

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
  /(:\/\/[^\s/:@"']{0,200}:)[^\s/"']{1,400}(?=@)/g,
];

/** What a text has that one of the shapes fits; most texts have nothing of it, and are done. */
const SHAPED =
  /-----BEGIN|[spr]k[-_]|gh[pousr]_|github_pat_|glpat-|npm_|hf_|xox|xapp-|AIza|ya29|dop_v1_|SG\.|AKIA|ASIA|eyJ|bearer|basic|token|:\/\//i;

/**
 * Makes a redactor. The values of the variables that are withheld from programs are taken out wherever they
 * stand.
 */
export function createRedactor(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Redactor {
  const values = Object.entries(environment)
    .flatMap(([name, value = ""]) => (value.length >= LEAST_VALUE && isSecretName(name) ? [value] : []))
    .sort((a, b) => b.length - a.length);
  const cleaned = (given: string): string => {
    let clean = given;
    for (const secret of values) clean = clean.replaceAll(secret, REDACTED);
    if (SHAPED.test(clean)) for (const shape of SHAPES) clean = clean.replaceAll(shape, `$1${REDACTED}`);
    clean = without(clean, secretsByName(clean));
    return without(clean, secretsOfOptions(clean));
  };
  // Names of fields, hooks and tools come again with every record.
  const remembered = new Map<string, string>();
  const text = (given: string): string => {
    if (given.length < LEAST_VALUE) return given;
    if (given.length > LONGEST_REMEMBERED) return cleaned(given);
    const known = remembered.get(given);
    if (known !== undefined) return known;
    const clean = cleaned(given);
    if (remembered.size >= MOST_REMEMBERED) remembered.clear();
    remembered.set(given, clean);
    return clean;
  };
  return { text, value: (value) => withoutSecrets(value, text, false, 0) };
}

/** The text with the mark in each of the places, which come in order. */
function without(text: string, places: Iterable<{ readonly start: number; readonly end: number }>): string {
  let clean = "";
  let done = 0;
  for (const { start, end } of places) {
    clean += `${text.slice(done, start)}${REDACTED}`;
    done = end;
  }
  return done === 0 ? text : clean + text.slice(done);
}

function withoutSecrets(value: unknown, text: Redactor["text"], secret: boolean, depth: number): unknown {
  if (typeof value === "string") return secret && value !== "" ? REDACTED : text(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth > DEEPEST) return "[too deep]";
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, text, secret, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      text(key),
      withoutSecrets(item, text, secret || isSecretField(key), depth + 1),
    ]),
  );
}
