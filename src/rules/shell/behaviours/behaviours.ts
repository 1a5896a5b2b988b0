import type { Behaviour, BehaviourKind } from "../analysis.ts";
import type { CodeFindings } from "../code/read-code.ts";
import { byProgram } from "../programs/by-program.ts";
import { isDatabaseClient } from "../programs/database.ts";
import type { Invocation } from "../programs/invocation.ts";
import { SHELL_NAMES } from "../programs/shell-names.ts";
import { NOTHING, plainList } from "../programs/touches.ts";
import { shown, unknownParts } from "../words/partly-known-text.ts";
import { deviceHost, isLocalHost } from "./hosts.ts";
import { codeLosses, lossesOf } from "./loss.ts";
import { mayPrintSecrets, printedSecrets } from "./secrets.ts";
import { sentBy, sentByCode } from "./sends.ts";

const INTERPRETER = /^(?:python[\d.]*|node|perl|ruby|php|deno|bun|pwsh|lua)$/;
const ONLY_METADATA = new Set(["chmod", "chown", "chgrp", "mkdir", "setfacl"]);

/** What a command does beyond its name and options; `code` is its inline code, read from `source`. */
export function behavioursOf(
  subject: Invocation,
  code: CodeFindings | undefined,
  source: string | undefined,
): readonly Behaviour[] {
  if (subject.name === "") return unknownName(subject);
  const { speaks, loses, prints, carriesShell, interprets } = traitsOf(subject.name);
  if (subject.touches === NOTHING && code === undefined && !speaks) return NONE;
  const found: Behaviour[] = [];
  const { reads, writes, deletes, moves } = subject.touches;
  const changes = writes.length + deletes.length + moves.length > 0;
  if (changes || loses || subject.redirections.truncates.length > 0) add(found, "loses", lossesOf(subject));
  add(found, "sends", sentBy(subject));
  add(found, "discloses", reads);
  if (changes && !ONLY_METADATA.has(subject.name)) add(found, "changes", plainList([writes, deletes, moves]));
  if (prints) add(found, "prints-secret", printedSecrets(subject));
  if (code !== undefined) {
    add(found, "loses", codeLosses(code));
    add(
      found,
      "changes",
      code.deletes.filter((path) => path !== ""),
    );
    add(found, "sends", sentByCode(code));
    add(found, "discloses", code.reads);
    if (code.forks) found.push({ kind: "fork-bomb", target: shown(subject.name) });
    if (code.shellOnSocket) found.push({ kind: "reverse-shell", target: "" });
  }
  if (carriesShell && isReverseShell(subject)) found.push({ kind: "reverse-shell", target: "" });
  if ((interprets && runsDownload(subject)) || (code !== undefined && comesFromNetwork(subject, source)))
    found.push({ kind: "remote-code", target: "" });
  return found.length === 0 ? NONE : found;
}

const NONE: readonly Behaviour[] = [];

/** Which behaviours a program may have. */
interface Traits {
  /** It may have one though it touches nothing. */
  readonly speaks: boolean;
  /** It may lose something though it writes to no file. */
  readonly loses: boolean;
  readonly prints: boolean;
  readonly carriesShell: boolean;
  readonly interprets: boolean;
}

const traitsOf = byProgram((program): Traits => {
  const loses = program === "find" || isDatabaseClient(program);
  const prints = mayPrintSecrets(program);
  const connects = MAY_CARRY_A_SHELL.has(program);
  const interprets = INTERPRETER.test(program);
  return {
    speaks: loses || prints || connects || interprets,
    loses,
    prints,
    carriesShell: connects || SHELL_NAMES.has(program),
    interprets,
  };
});

function add(found: Behaviour[], kind: BehaviourKind, targets: readonly string[]): void {
  if (targets.length === 0) return;
  for (const target of plainList([targets])) found.push({ kind, target });
}

const MAY_CARRY_A_SHELL = new Set("nc ncat netcat nc.traditional nc.openbsd telnet openssl socat".split(" "));

/** A program whose very name comes from the network runs what somebody else wrote. */
function unknownName(subject: Invocation): readonly Behaviour[] {
  return comesFromNetwork(subject, subject.first) ? [{ kind: "remote-code", target: "" }] : [];
}

function comesFromNetwork(subject: Invocation, text: string | undefined): boolean {
  const streams = unknownParts(text ?? "").flatMap(
    (part) => subject.walk.substitutions?.get(part)?.from ?? [],
  );
  return streams.some((command) => command.connects.length > 0);
}

/** Whether an interpreter is fed by a download, such as `curl … | python3`. */
function runsDownload(subject: Invocation): boolean {
  const { parsed, stdin, words } = subject;
  if (words.some((word) => /^\uE000<\(/.test(word) && comesFromNetwork(subject, word))) return true;
  const readsCode = parsed.args.length === 0 ? parsed.options.length === 0 : parsed.args[0] === "-";
  return readsCode && stdin.from.some((command) => command.connects.length > 0);
}

function isReverseShell({ name, parsed, words, redirections, stdin }: Invocation): boolean {
  if (SHELL_NAMES.has(name)) return [...redirections.writes, ...redirections.reads].some(remoteDevice);
  if (/^(?:nc|ncat|netcat|nc\..*)$/.test(name)) {
    if (parsed.flags.some((flag) => flag === "-e" || flag === "-c" || flag === "--lua-exec")) return true;
    return stdin.from.some((command) => SHELL_NAMES.has(command.name ?? "") && command.args.length === 0);
  }
  if (/^(?:telnet|openssl)$/.test(name))
    return stdin.from.some((command) => SHELL_NAMES.has(command.name ?? "") && command.args.length === 0);
  return (
    name === "socat" &&
    words.some((word) => /^(?:EXEC|SYSTEM):/i.test(word)) &&
    words.some((word) => /^(?:TCP|OPENSSL|UDP|SSL)/i.test(word))
  );
}

function remoteDevice(path: string): boolean {
  const host = deviceHost(path);
  return host !== undefined && !isLocalHost(host);
}
