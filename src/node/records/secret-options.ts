/** How a program takes a secret on its command line. */
interface SecretOption {
  readonly programs: RegExp;
  readonly options: readonly string[];
  /** What stands between the option and the secret. */
  readonly before: RegExp;
  /** Values hold what elsewhere ends a command: headers have a `;`, addresses an `&`. */
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

/** What a text has that names one of the programs; most have nothing of it. */
const NAMED = /curl|mysql|mariadb|sshpass|[ \t]login|redis-cli|openssl/;

const UP_TO: Readonly<Record<string, RegExp>> = { '"': /[^"\n\\]+/y, "'": /[^'\n\\]+/y, "": /[^\s"'\\]+/y };

/** Where secrets stand that programs take by a short option: `mysql -p…`, `curl -u name:…`. In linear time. */
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
    // A variable is named here, or the numbers of a user and a group.
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
