import type { Behaviour } from "../analysis.ts";
import { shown } from "../words/text.ts";
import type { Invocation, ProgramRow } from "./program-row.ts";

/** A part of a word that says production. `liveness`, `preprod`, `Product` and `--live-reload` do not. */
export const PRODUCTION =
  /(?:^|[^A-Za-z0-9])(?<!(?:non|not|pre)[-_.]?)(?:prod|production|prd|PROD|PRODUCTION|PRD)\d*(?![A-Za-z0-9])|(?:^|[^A-Z])(?:Prod|Production)(?![a-z])|(?:^|[=/@:._-])(?:live|LIVE)(?:$|[.:/_])/;

/** Variables that say where a command works. */
const PLACE_VARIABLE = /(?:^|_)(?:ENV|ENVIRONMENT|STAGE|TARGET|CONTEXT|PROFILE|WORKSPACE|HOST|URL)$/;

const HOST_VARIABLE = /_(?:HOST|CONTEXT)$/;

/** What a service is asked without being changed; the whole word. */
const READS =
  /^(?:get|describe|logs?|top|diff|explain|version|info|list|ls|show|status|history|search|plan|preview|validate|fmt|outputs?|whoami|help|lint|template|events?|tail|ps|inspect|images|view|head|login|logout|dev|build|synth|test|local|wait|watch|port-forward|proxy|api-resources|cluster-info|auth|config|configure|completion|current|graph|workspace|read|cat|find|count|export|pull|download|doctor|metrics|releases|regions|stats|dashboard|use|switch|init|package|emulators|serve|dependency|repo|can-i|\S*:(?:get|info|list|ls|show|status|logs?|start|wait|psql|credentials|diagnose))$|^(?:describe|get|list|head|lookup|search|batch-get|filter|simulate|validate|detect|estimate|check|wait|view|print)-/;

/** What changes a service. Words after it are names, whatever they say: `scale deploy dashboard`. */
const CHANGES =
  /^(?:create|update|scale|autoscale|restart|undo|pause|resume|apply|set|delete|patch|replace|edit|label|annotate|taint|drain|cordon|uncordon|expose|install|upgrade|uninstall|rollback|destroy|remove|rm|add|put|import|promote|start|stop|reboot|enable|disable)$/;

/** Options with which a program says what it would do. */
const TRIES =
  /^--?(?:dry-?run|check|syntax-check|list-(?:hosts|tasks|tags)|help|noop|no-?op|what-if|preview|plan)(?:$|=)/;

/** Programs that only look, as the first word of what is run on another machine. */
const LOOKS =
  /^(?:sudo\s+)?(?:ls|ll|cat|head|tail|less|grep|zgrep|egrep|rg|find|df|du|ps|top|htop|free|uptime|who|w|id|whoami|hostname|uname|date|env(?=\s*$)|printenv|pwd|echo|test|stat|wc|sort|uniq|awk|cut|sed -n|jq|which|ss|netstat|lsof|dmesg|vmstat|iostat|nproc|lscpu|lsblk|mount|last|journalctl|cd|curl|dig|ping|psql|mysql|(?:systemctl|service \S+) (?:status|is-active|list-units|cat|show)|systemctl|docker (?:ps|logs|stats|inspect|images|compose (?:ps|logs))|kubectl (?:get|describe|logs|top)|git (?:log|status|diff|show|rev-parse|branch)|pm2 (?:ls|list|logs|status|show|monit)|\S+ (?:--version|version)(?=\s*$)|(?:node|npm|pnpm|yarn|python3?|ruby|perl|php|java|nginx|psql|mysql|docker|ssh) -[vV](?=\s*$))(?:\s|$)/;
const CHANGES_REMOTELY =
  /\bsystemctl\s+(?:start|stop|restart|reload|enable|disable|mask|kill)\b|[^2&]>|-exec\b|-delete\b|\b(?:insert|update|delete|drop|alter|truncate)\b|\b(?:mysql|psql)\b[^;|\n]*<|\|\s*(?:mysql|psql)\b|\bpsql\b[^;|\n]*\s(?:-f|--file)/i;
/** A request that does more than fetch. */
const SENDS_REMOTELY =
  /\bcurl\b[^;|\n]*\s(?:-[A-Za-z]*X(?!\s*['"]?(?:GET|HEAD)\b)|-[A-Za-z]*[dFT]|--request(?![\s=]*['"]?(?:GET|HEAD)\b)|--(?:data|form|json|upload-file))/;

/** The word of a list that says production. Text with spaces is a message or a query. */
function productionWord(words: readonly string[]): string | undefined {
  return words.map(shown).find((word) => word.length < LONGEST && !/\s/.test(word) && PRODUCTION.test(word));
}

const LONGEST = 400;

/** Where the line says that it works, by variables: `RAILS_ENV=production rails …`. */
function placeVariables({ scope }: Invocation, names = PLACE_VARIABLE): readonly string[] {
  const { variables } = scope.tables;
  if (variables.size === 0) return NONE;
  return [...variables].flatMap(([name, value]) => (names.test(name) ? [value ?? ""] : []));
}

/** Where the line has turned the program to before: `kubectl config use-context prod && kubectl apply …`. */
function chosenPlaces({ name, walk }: Invocation): readonly string[] {
  return walk.commands
    .filter((command) => command.name === name && command.args.some((arg) => CHOOSES.test(arg)))
    .flatMap(({ args }) => args);
}

const CHOOSES = /^(?:use|use-context|set-context|select|set|switch)$/;

const NONE: readonly string[] = [];
const NOTHING: readonly Behaviour[] = [];

function inProduction(words: readonly string[]): readonly Behaviour[] {
  const target = productionWord(words);
  return target === undefined ? NOTHING : [{ kind: "production", target }];
}

/** True when all that is run elsewhere only looks. Without a command it is a dialogue. */
function onlyLook(texts: readonly string[]): boolean {
  return texts.every(
    (text) =>
      !CHANGES_REMOTELY.test(text) &&
      !SENDS_REMOTELY.test(text) &&
      text.split(/[;|&\n]+/).every((part) => part.trim() === "" || LOOKS.test(part.trim())),
  );
}

const COPIES = /^(?:cp|mv|sync|rsync|copy|scp)$/;

/** A service is changed, whatever place it is at. */
function changesService(invocation: Invocation): boolean {
  const { words, parsed } = invocation;
  const [last = ""] = parsed.args.slice(-1);
  const copies = parsed.args.slice(0, 3).some((word) => COPIES.test(word));
  const fetches = copies && parsed.args.some((word) => word.includes(":")) && !last.includes(":");
  return !fetches && !words.some((word) => TRIES.test(word)) && !READS.test(verbOf(invocation));
}

/** The first word that says what is done. The first of `aws` names a service: `aws logs delete-log-group`. */
function verbOf({ name, parsed: { args } }: Invocation): string {
  const words = name === "aws" && args[0] !== "configure" ? args.slice(1, 2) : args.slice(0, 4);
  const says = (word: string, index: number) =>
    READS.test(word) || CHANGES.test(word) || (index > 0 && word === "deploy");
  return words.find(says) ?? "";
}

/** Everybody, or every right. */
const EVERYBODY =
  /0\.0\.0\.0\/0|(?:^|[^:])::\/0|\ballUsers\b|\ballAuthenticatedUsers\b|\bpublic-read(?:-write)?\b|(?:^|=)cluster-admin$|\bAdministratorAccess\b|\bPowerUserAccess\b|\bIAMFullAccess\b|roles\/(?:owner|editor)\b|"(?:Principal|AWS)"\s*:\s*"\*"/;

function exposes({ words }: Invocation): readonly Behaviour[] {
  const target = words.map(shown).find((word) => EVERYBODY.test(word));
  return target === undefined ? NOTHING : [{ kind: "exposes", target: EVERYBODY.exec(target)?.[0] ?? "" }];
}

/** A program that manages a cluster, a cloud or a deployment. */
export const SERVICE: Pick<ProgramRow, "acts"> = {
  acts: (invocation, runs) => {
    const places = [...invocation.words, ...placeVariables(invocation), ...chosenPlaces(invocation)];
    const found = [...exposes(invocation), ...inProduction(places)];
    if (found.length === 0 || !changesService(invocation)) return NOTHING;
    const texts = runs();
    return texts !== undefined && onlyLook(texts) ? NOTHING : found;
  },
};

/** A program whose options alone say where it works; its arguments are images, files and names. */
export function serviceAt(...flags: readonly string[]): Pick<ProgramRow, "acts"> {
  return {
    acts: (invocation) => {
      const { options } = invocation.parsed;
      const places = [
        ...options.filter(({ flag }) => flags.includes(flag)).map(({ value }) => value),
        ...placeVariables(invocation, HOST_VARIABLE),
        ...chosenPlaces(invocation),
      ];
      return places.length === 0 || !changesService(invocation) ? NOTHING : inProduction(places);
    },
  };
}

/** A shell on another machine. */
export const REMOTE_SHELL: Pick<ProgramRow, "acts"> = {
  acts: (invocation, runs) => {
    const found = inProduction(invocation.parsed.args.slice(0, 1));
    return found.length === 0 || onlyLook(runs() ?? []) ? NOTHING : found;
  },
};

/** Statements that change nothing. */
const ASKS = /^\s*(?:select|show|explain|describe|desc|with|values|table|use|set|\\|\.)|^\s*$/i;
const ASKS_REDIS =
  /^(?:get|keys|scan|ttl|type|info|ping|exists|hget|hgetall|lrange|smembers|zrange|memory|dbsize|strlen|llen|scard|zcard|mget|monitor|client list|config get|slowlog)\b|^$/i;
const CHANGES_ROWS =
  /\b(?:insert|update|delete|drop|alter|truncate|create|grant|revoke|copy|merge|replace|call)\b/i;

/** Programs that change a database without a statement. */
const CHANGES_DATABASE = /restore|import|^create|^drop|admin$/;

/** A client of a database, which gets statements from options, arguments, a file or its input. */
export const DATABASE_CLIENT: Pick<ProgramRow, "acts"> = {
  acts: (invocation) => {
    const { words, parsed, stdin, touches, name } = invocation;
    const places = [
      ...touches.connects,
      ...words.filter((word) => !/\s/.test(word)),
      ...placeVariables(invocation),
    ];
    const found = inProduction(places);
    if (found.length === 0) return NOTHING;
    const given = parsed.options.filter(({ flag }) =>
      /^(?:-c|-e|-q|--eval|--execute|--query|--command)$/.test(flag),
    );
    const texts = [...given.map(({ value }) => value), ...(stdin.text === undefined ? [] : [stdin.text])];
    const fromFile =
      stdin.file !== undefined ||
      stdin.from.length > 0 ||
      parsed.flags.some((flag) => /^(?:-f|--file)$/.test(flag));
    const asks = texts.every((text) =>
      shown(text)
        .split(";")
        .every((statement) => ASKS.test(statement) && !CHANGES_ROWS.test(statement)),
    );
    if (/^(?:redis|valkey)-cli$/.test(name)) return ASKS_REDIS.test(parsed.args.join(" ")) ? NOTHING : found;
    return CHANGES_DATABASE.test(name) || (fromFile && !name.includes("dump")) || !asks ? found : NOTHING;
  },
};

/** What a task does by its name, when it changes what runs elsewhere. */
const DEPLOYS =
  /(?:^|[^a-z])(?:deploy|redeploy|undeploy|rollout|rollback|promote|migrate|migration|migrations|seed|ship|provision|reset|drop|destroy|release|restore|backfill|cleanup|purge|wipe|truncate|cutover|failover|db:\w+)(?:$|[^a-z])/i;

/** A task, and no file of the project that is about one. */
function namesTask(word: string, index: number): boolean {
  return (index === 0 || !/\/|\.[cm]?[jt]sx?$|\.py$|\.rb$/.test(word)) && DEPLOYS.test(word);
}

/** A program that runs tasks of the project by their names, which may be a script: `make deploy-prod`. */
export const TASKS: Pick<ProgramRow, "acts"> = {
  acts: (invocation) => {
    const { words, first } = invocation;
    const names = [first, ...words].map(shown).filter((word) => !/\s/.test(word));
    const isTask = names.some(namesTask) && !words.some((word) => TRIES.test(word));
    return isTask ? inProduction([...names, ...placeVariables(invocation)]) : NOTHING;
  },
};

/** A shell or an interpreter that runs a script of the project: `bash scripts/deploy.sh production`. */
export const SCRIPTS: Pick<ProgramRow, "acts"> = {
  acts: (invocation) => {
    const { words, parsed } = invocation;
    const args = parsed.args.map(shown);
    const [script = "", ...rest] = args[0] === "run" ? args.slice(1) : args;
    const name = script.slice(script.lastIndexOf("/") + 1);
    if (/\s/.test(script) || !DEPLOYS.test(name) || words.some((word) => TRIES.test(word))) return NOTHING;
    const values = parsed.options.map(({ value }) => value);
    return inProduction([
      name,
      ...rest,
      ...words.filter((word) => word.startsWith("-")),
      ...values,
      ...placeVariables(invocation),
    ]);
  },
};
