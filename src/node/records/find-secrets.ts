import { isSecretField } from "./secret-fields.ts";

/** How a program takes a secret on its command line. */
interface SecretOption {
  readonly programs: RegExp;
  readonly options: readonly string[];
  /** What is between the option and the secret. */
  readonly before: RegExp;
  /** The value may contain what else ends a command: headers have a `;`, addresses an `&`. */
  readonly wholeLine?: true;
}

const ROWS: readonly SecretOption[] = [
  {
    programs: /^curl$/,
    options: ["-u", "--user"],
    before: /[ \t=]{0,4}(\\?["']?)[^\s:"'\\/$]{1,100}:/y,
    wholeLine: true,
  },
  { programs: /^(?:mysql|mysqldump|mysqladmin|mariadb)$/, options: ["-p"], before: /(\\?["']?)/y },
  { programs: /^(?:sshpass|\w+[ \t]+login)$/, options: ["-p"], before: /[ \t]{0,4}(\\?["']?)/y },
  { programs: /^redis-cli$/, options: ["-a"], before: /[ \t]{1,4}(\\?["']?)/y },
  {
    programs: /^openssl$/,
    options: ["-passin", "-passout", "-pass"],
    before: /[ \t]{1,4}(\\?["']?)pass:/y,
  },
];

/** A program of the table, one of its options, or the end of a command. */
const STEP =
  /(?<![\w-])(?:(curl|mysql|mysqldump|mysqladmin|mariadb|sshpass|(?:docker|podman)[ \t]{1,4}login|redis-cli|openssl)(?![\w-])|(--user|-passin|-passout|-pass|-u|-p|-a))|([;&|\n])/g;

/** A quick check: most texts name none of the programs. */
const NAMED = /curl|mysql|mariadb|sshpass|[ \t]login|redis-cli|openssl/;

const UP_TO: Readonly<Record<string, RegExp>> = { '"': /[^"\n\\]+/y, "'": /[^'\n\\]+/y, "": /[^\s"'\\]+/y };

/** Finds secrets that programs take by a short option: `mysql -p…`, `curl -u name:…`. In linear time. */
export function* secretsOfOptions(text: string): Generator<{ readonly start: number; readonly end: number }> {
  if (!NAMED.test(text)) return;
  let row: SecretOption | undefined;
  STEP.lastIndex = 0;
  for (let found = STEP.exec(text); found !== null; found = STEP.exec(text)) {
    const [, program, option, end] = found;
    if (program !== undefined) row = ROWS.find(({ programs }) => programs.test(program));
    if (end !== undefined && !(end === "\n" ? text[found.index - 1] === "\\" : row?.wholeLine))
      row = undefined;
    if (option === undefined || row?.options.includes(option) !== true) continue;
    const at = STEP.lastIndex;
    const start = endOf(row.before, text, at);
    if (start === undefined) continue;
    const [quote = ""] = /["']/.exec(text.slice(at, start)) ?? [];
    const stop = endOf(UP_TO[quote] ?? /[^\s]+/y, text, start);
    // A variable, or the numeric ids of a user and a group.
    if (stop === undefined || /^\$|^\d{1,6}$/.test(text.slice(start, Math.min(stop, start + 8)))) continue;
    yield { start, end: stop };
    STEP.lastIndex = stop;
    row = undefined;
  }
}

function endOf(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

/** A quick check for a word that names of secrets have. */
const SECRETIVE = /pass|pwd|secret|token|key|auth|credential|cookie/i;

/** `api_key=`, `"password": ` and `--token `. */
const NAME =
  /(?<![\w-])(?:-{0,2}([A-Za-z_][\w-]{0,60})\\?["']?[ \t]{0,4}[:=][ \t]{0,4}|--([A-Za-z][\w-]{0,60})[ \t]{1,4})/g;

/**
 * A value: a block of YAML, a quoted string, or a word. A word continues after a comma unless another name with a value
 * follows, as in `token=a&sort=b`. An opening quote without a closing one is ignored.
 */
const VALUE =
  /[|>][-+]?\n([ \t]+)[^\n]+(?:\n\1[^\n]+)*|(\\["'])((?:(?!\2)[^\n])+)\2|(")((?:[^"\\\n]|\\[^\n])+)"|(')([^'\n]+)'|(\\?["']?)([^\s"'\\,;&]+(?:[,;&](?![^\s"'\\,;&=:]+[=:])[^\s"'\\,;&]+)*)/y;

/** Finds values whose names say that they are secret: `DB_PASSWORD=…`, `"token": "…"`. In linear time. */
export function* secretsByName(text: string): Generator<{ readonly start: number; readonly end: number }> {
  if (!SECRETIVE.test(text)) return;
  NAME.lastIndex = 0;
  for (let found = NAME.exec(text); found !== null; found = NAME.exec(text)) {
    if (!isSecretField(found[1] ?? found[2] ?? "")) continue;
    VALUE.lastIndex = NAME.lastIndex;
    const value = VALUE.exec(text);
    if (value === null) continue;
    const open = value[2] ?? value[4] ?? value[6] ?? value[8] ?? "";
    const inner = value[3] ?? value[5] ?? value[7] ?? value[9] ?? value[0];
    // A variable or a call in a program, not its value.
    if (inner.startsWith("$") || /^[A-Za-z_][\w.]*\([\w., ]*\);?$/.test(inner)) continue;
    const start = value.index + open.length;
    yield { start, end: start + inner.length };
    NAME.lastIndex = VALUE.lastIndex;
  }
}
