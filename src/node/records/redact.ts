import { passwordsInPgpass } from "../pgpass.ts";
import { isWithheld } from "../process/environment.ts";
import { secretsByName, secretsOfOptions } from "./find-secrets.ts";
import { isSecretField, isSecretOption } from "./secret-fields.ts";
import { SECRET_SHAPES } from "./secret-shapes.ts";

/** Replaces a secret. */
export const REDACTED = "[redacted]";

const DEEPEST = 100;
const LONGEST_REMEMBERED = 200;
const MOST_REMEMBERED = 500;
const LOOK_MILLISECONDS = 100;
/** How many old values of variables stay secret. */
const MOST_GONE = 100;
/** Timestamps and counted ids: no known shape of a secret looks like them. */
const COUNTED = /^(?:[a-z\d]{12,30}-\d{1,12}|\d{4}-\d\d-\d\dT[\d:.]{8,12}Z)$/;

type Environment = Readonly<Record<string, string | undefined>>;

interface Variable {
  readonly name: string;
  readonly value: string;
}

/** Shorter values can't be distinguished from other text. */
const LEAST_VALUE = 8;

/*
 * A process that writes a single record needs few regular expressions when none of these strings, in lower case, is in it:
 * every text with a secret has the sign of a shape, of a program that takes a secret, or of a name.
 */
const PROGRAM_SIGNS = "curl mysql mariadb sshpass login redis-cli openssl".split(" ");
const NAME_SIGNS = "pass pwd secret token key auth credential cookie".split(" ");

/** What is between a name and its value, or before the name of an option. */
const AROUND_NAME = /[:=]|^-|--/;

/** Removes secrets from what is written to disk: values of withheld variables, and what has the shape or the name of a secret. */
export class Redactor {
  private readonly environment: Environment;
  private variables: readonly Variable[];
  private looked = Number.NEGATIVE_INFINITY;
  private known: readonly string[] | undefined = undefined;
  /** Names of fields, hooks, tools and folders come again with every record. */
  private readonly remembered = new Map<string, string>();

  constructor(environment: Environment) {
    this.environment = environment;
    this.variables = variablesOf(environment);
  }

  /** Removes secrets from a string, in linear time. */
  text(given: string): string {
    if (given.length < LEAST_VALUE) return given;
    const { remembered } = this;
    const short = given.length <= LONGEST_REMEMBERED;
    const before = short ? remembered.get(given) : undefined;
    if (before !== undefined) return before;
    if (this.isCounted(given)) return given;
    const clean = withoutShapes(this.withoutVariables(given));
    if (short) {
      if (remembered.size >= MOST_REMEMBERED) remembered.clear();
      remembered.set(given, clean);
    }
    return clean;
  }

  /** True for a timestamp or an id that this package counts up: these contain no secret and need no escaping. */
  isCounted(text: string): boolean {
    return COUNTED.test(text) && this.withoutVariables(text) === text;
  }

  /** Removes secrets from a JSON value, by the name of their field and inside strings: the value itself when it has none. */
  value(value: unknown): unknown {
    return withoutSecrets(value, this, false, 0);
  }

  /** False when a JSON value certainly has no secret. Quicker than `value` for a process that writes a single record. */
  mayFind(value: unknown): boolean {
    const names = new Set<string>();
    const texts = new Set<string>();
    if (!gather(value, names, texts, 0)) return true;
    const every = [...names, ...texts];
    const all = every.join("\n");
    const lower = all.toLowerCase();
    const occurs = ({ value }: Variable) => writtenAs(value).some((form) => all.includes(form));
    return (
      this.variables.some((variable) => occurs(variable) && isWithheld(variable.name)) ||
      PROGRAM_SIGNS.some((sign) => lower.includes(sign)) ||
      (NAME_SIGNS.some((sign) => lower.includes(sign)) &&
        (every.some(mayNameSecret) || [...names].some(isSecretField))) ||
      shapesIn(lower).some(({ pattern }) => all.search(pattern) !== -1)
    );
  }

  private withoutVariables(given: string): string {
    let clean = given;
    for (const secret of this.secrets())
      if (clean.includes(secret)) clean = clean.replaceAll(secret, REDACTED);
    return clean;
  }

  /**
   * Looks for variables that were set or changed: a program may read its secrets late. Old values stay secret. Returns
   * true when there are new secrets, so that what was found clean may not be. Limited to once in a while, because it
   * takes longer than writing a record.
   *
   * @param now a time in milliseconds.
   */
  lookAgain(now: number): boolean {
    // A clock may go back.
    if (Math.abs(now - this.looked) < LOOK_MILLISECONDS) return false;
    this.looked = now;
    const before = new Set(this.variables.map(keyOf));
    const present = variablesOf(this.environment);
    const added = present.filter((variable) => !before.has(keyOf(variable)));
    if (added.length === 0) return false;
    const presentKeys = new Set(present.map(keyOf));
    const gone = this.variables.filter((one) => !presentKeys.has(keyOf(one)) && isWithheld(one.name));
    this.variables = [...gone.slice(-MOST_GONE), ...present];
    if (!added.some(({ name }) => isWithheld(name))) return false;
    this.known = undefined;
    this.remembered.clear();
    return true;
  }

  /** Built on first use: `mayFind` needs few of them. */
  private secrets(): readonly string[] {
    this.known ??= this.variables
      .flatMap(({ name, value }) => (isWithheld(name) ? writtenAs(value) : []))
      .sort((a, b) => b.length - a.length);
    return this.known;
  }
}

export function createRedactor(environment: Environment = process.env): Redactor {
  return new Redactor(environment);
}

/** True for text that may have the name of a secret next to its value, or that is an option before one. */
function mayNameSecret(text: string): boolean {
  const lower = text.toLowerCase();
  return AROUND_NAME.test(text) && NAME_SIGNS.some((sign) => lower.includes(sign));
}

/** Collects every string of a value, and the names of its fields. Returns false when it is nested too deeply. */
function gather(value: unknown, names: Set<string>, texts: Set<string>, depth: number): boolean {
  if (typeof value === "string") texts.add(value);
  if (typeof value !== "object" || value === null) return true;
  if (depth > DEEPEST) return false;
  if (writesItself(value)) return gather(value.toJSON(), names, texts, depth + 1);
  for (const key of Object.keys(value)) {
    if (!Array.isArray(value)) names.add(key);
    if (!gather(Reflect.get(value, key), names, texts, depth + 1)) return false;
  }
  return true;
}

/** True for what is converted by `JSON.stringify`: a URL has no fields, and may contain a password. */
function writesItself(value: object): value is { toJSON(): unknown } {
  return "toJSON" in value && typeof value.toJSON === "function";
}

/** The shapes whose sign a text in lower case has, if they have one. */
function shapesIn(lower: string): typeof SECRET_SHAPES {
  return SECRET_SHAPES.filter(({ signs }) => signs?.some((sign) => lower.includes(sign)) !== false);
}

/** Removes what has the shape or the name of a secret. */
function withoutShapes(text: string): string {
  let clean = text;
  for (const { pattern } of shapesIn(text.toLowerCase())) clean = clean.replaceAll(pattern, `$1${REDACTED}`);
  clean = without(clean, secretsByName(clean));
  return without(clean, secretsOfOptions(clean));
}

/** Replaces these ranges, which are in order. */
function without(text: string, places: Iterable<{ readonly start: number; readonly end: number }>): string {
  let clean = "";
  let done = 0;
  for (const { start, end } of places) {
    clean += `${text.slice(done, start)}${REDACTED}`;
    done = end;
  }
  return done === 0 ? text : clean + text.slice(done);
}

function withoutSecrets(value: unknown, redactor: Redactor, secret: boolean, depth: number): unknown {
  if (typeof value === "string") return secret && value !== "" ? REDACTED : redactor.text(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth > DEEPEST) return "[too deep]";
  if (writesItself(value)) return withoutSecrets(value.toJSON(), redactor, secret, depth + 1);
  return Array.isArray(value)
    ? cleanList(value, redactor, secret, depth)
    : cleanRecord(value, redactor, secret, depth);
}

function cleanList(list: readonly unknown[], redactor: Redactor, secret: boolean, depth: number): unknown {
  let copy: unknown[] | undefined;
  for (let at = 0; at < list.length; at += 1) {
    const item = list[at];
    const clean = withoutSecrets(item, redactor, secret || isGivenAsSecret(list, at), depth + 1);
    if (clean === item) continue;
    copy ??= list.slice();
    copy[at] = clean;
  }
  return copy ?? list;
}

/** True for what follows a secret option in a list of arguments: `["--password", "…"]`. */
function isGivenAsSecret(list: readonly unknown[], at: number): boolean {
  const item = list[at];
  // It is another option, or a variable.
  return isSecretOption(list[at - 1]) && typeof item === "string" && !/^[-$]/.test(item);
}

function cleanRecord(record: object, redactor: Redactor, secret: boolean, depth: number): unknown {
  const keys = Object.keys(record);
  let entries: (readonly [string, unknown])[] | undefined;
  for (let at = 0; at < keys.length; at += 1) {
    const key = keys[at] ?? "";
    const item: unknown = Reflect.get(record, key);
    const name = redactor.text(key);
    const clean = withoutSecrets(item, redactor, secret || isSecretField(key), depth + 1);
    if (name !== key || clean !== item)
      entries ??= keys.slice(0, at).map((before) => [before, Reflect.get(record, before)]);
    entries?.push([name, clean]);
  }
  return entries === undefined ? record : Object.fromEntries(entries);
}

/** Variables, the passwords in those that are addresses, and those of databases: what is long enough to look for. */
function variablesOf(environment: Environment): readonly Variable[] {
  const given = Object.entries(environment).map(([name, value = ""]) => ({ name, value: value.trim() }));
  const inAddresses = given.flatMap(({ name, value }) =>
    passwordsInAddress(value).map((password) => ({ name: `${name}_PASSWORD`, value: password })),
  );
  const ofDatabases = passwordsInPgpass(environment).map((value) => ({ name: "PGPASSWORD", value }));
  return [...given, ...inAddresses, ...ofDatabases].filter(({ value }) => value.length >= LEAST_VALUE);
}

const ADDRESS = /^[a-z][\w+.-]*:\/\/([^:@/?#\s]*):([^/?#\s]+)@/i;

/** The password as the address has it, and decoded. */
function passwordsInAddress(value: string): readonly string[] {
  const [, user, written] = ADDRESS.exec(value) ?? [];
  // Whoever has their own name as a password has none; to take it out would take words out of every text.
  if (written === undefined || written === user) return [];
  try {
    return [...new Set([written, decodeURIComponent(written)])];
  } catch {
    return [written];
  }
}

function keyOf({ name, value }: Variable): string {
  return `${name}=${value}`;
}

const PLAIN = /^[\w.~-]+$/;

/** How a value can appear in text: as it is, in JSON, in a URL. */
function writtenAs(value: string): readonly string[] {
  if (PLAIN.test(value)) return [value];
  const forms = new Set([value, JSON.stringify(value).slice(1, -1)]);
  try {
    forms.add(encodeURIComponent(value));
  } catch {
    // Half a surrogate pair can't be in a URL.
  }
  return [...forms];
}
