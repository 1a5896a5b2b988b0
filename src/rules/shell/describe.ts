import type { Behaviour, BehaviourKind, ShellCommand } from "./analysis.ts";
import type { Frame } from "./frame.ts";
import { deviceHost, isLocalHost } from "./hosts.ts";
import { type CodeFindings, codeOf, readCode } from "./inline-code.ts";
import { codeLosses, lossesOf } from "./loss.ts";
import { isKnown, shown, unknownParts } from "./marked.ts";
import { parseOptions } from "./options.ts";
import { programName } from "./program-name.ts";
import type { Redirections } from "./redirections.ts";
import { printedSecrets } from "./secrets.ts";
import { sentBy, sentByCode } from "./sends.ts";
import { SHELL_NAMES } from "./shell-names.ts";
import type { Subject } from "./subject.ts";
import { plainList, touchesOf } from "./touches.ts";
import { MATTERS } from "./variables.ts";

/** What stands around the words of a simple command. */
export interface Context {
  readonly redirections: Redirections;
  /** `NAME=value` in front of the command, as marked text. */
  readonly assignments: readonly string[];
}

/** Works out everything the analysis tells of one simple command. */
export function describe(words: readonly string[], frame: Frame, context: Context): ShellCommand {
  const [first = "", ...rest] = words;
  const name = programName(first);
  const parsed = parseOptions(name ?? "", rest);
  const touches = touchesOf(name ?? "", parsed, context.redirections, frame.scope.folder);
  const subject: Subject = {
    name: name ?? "",
    words: rest,
    parsed,
    touches,
    redirections: context.redirections,
    stdin: frame.stdin,
    folder: frame.scope.folder,
    walk: frame.walk,
  };
  const source = name === undefined ? undefined : codeOf(name, rest, parsed, frame.stdin.text);
  const code = source === undefined ? undefined : readCode(shown(source));
  const unknownCode =
    source !== undefined && !isKnown(source) && shown(source).trim() === unknownParts(source)[0];
  const behaviours = name === undefined ? unknownName(subject, first) : behavioursOf(subject, code, source);
  return {
    name,
    flags: parsed.flags.map(shown),
    options: parsed.options.map(({ flag, value }) => ({ flag: shown(flag), value: shown(value) })),
    args: parsed.args.map(shown),
    text: textOf(words, context),
    dynamic: name === undefined || unknownCode || code?.dynamic === true,
    wrapper: false,
    redirections: context.redirections.list,
    reads: plainList([...touches.reads, ...touches.uses, ...(code?.reads ?? [])]),
    writes: plainList([
      ...touches.writes,
      ...touches.deletes,
      ...touches.moves,
      ...(code?.deletes.filter((path) => path !== "") ?? []),
    ]),
    connects: [...new Set([...touches.connects, ...(code?.hosts ?? [])])],
    behaviours,
  };
}

/** Shell text that inline code would start. */
export function commandsInCode(
  command: ShellCommand,
  rest: readonly string[],
  stdin: string | undefined,
): readonly string[] {
  if (command.name === undefined) return [];
  const source = codeOf(command.name, rest, parseOptions(command.name, rest), stdin);
  return source === undefined ? [] : readCode(shown(source)).commands;
}

const ONLY_METADATA = new Set(["chmod", "chown", "chgrp", "mkdir", "setfacl"]);

function behavioursOf(
  subject: Subject,
  code: CodeFindings | undefined,
  source: string | undefined,
): readonly Behaviour[] {
  const found: Behaviour[] = [];
  const add = (kind: BehaviourKind, targets: readonly string[]): void => {
    for (const target of plainList(targets)) found.push({ kind, target });
  };
  add("loses", lossesOf(subject));
  add("sends", sentBy(subject));
  add("discloses", subject.touches.reads);
  if (!ONLY_METADATA.has(subject.name))
    add("changes", [...subject.touches.writes, ...subject.touches.deletes, ...subject.touches.moves]);
  add("prints-secret", printedSecrets(subject));
  if (code !== undefined) {
    add("loses", codeLosses(code));
    add(
      "changes",
      code.deletes.filter((path) => path !== ""),
    );
    add("sends", sentByCode(code));
    add("discloses", code.reads);
    if (code.shellOnSocket) add("reverse-shell", [""]);
  }
  if (isReverseShell(subject)) add("reverse-shell", [""]);
  if (runsDownload(subject) || (code !== undefined && comesFromNetwork(subject, source)))
    add("remote-code", [""]);
  return found;
}

/** A program whose very name comes from the network runs what somebody else wrote. */
function unknownName(subject: Subject, first: string): readonly Behaviour[] {
  return comesFromNetwork(subject, first) ? [{ kind: "remote-code", target: "" }] : [];
}

function comesFromNetwork(subject: Subject, text: string | undefined): boolean {
  const streams = unknownParts(text ?? "").flatMap(
    (part) => subject.walk.substitutions.get(part)?.from ?? [],
  );
  return streams.some((command) => command.connects.length > 0);
}

/** An interpreter fed by a download, such as `curl … | python3`. */
function runsDownload(subject: Subject): boolean {
  const { name, parsed, stdin, words } = subject;
  if (!/^(?:python[\d.]*|node|perl|ruby|php|deno|bun|pwsh|lua)$/.test(name)) return false;
  if (words.some((word) => /^\uE000<\(/.test(word) && comesFromNetwork(subject, word))) return true;
  const readsCode = parsed.args.length === 0 ? parsed.options.length === 0 : parsed.args[0] === "-";
  return readsCode && stdin.from.some((command) => command.connects.length > 0);
}

function isReverseShell({ name, parsed, words, redirections, stdin }: Subject): boolean {
  const onSocket = [...redirections.writes, ...redirections.reads].some((path) => remoteDevice(path));
  if (SHELL_NAMES.has(name) && onSocket) return true;
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

function textOf(words: readonly string[], context: Context): string {
  const before = context.assignments.filter((text) => MATTERS.test(text));
  const after = context.redirections.list
    .filter(({ operator, target }) => !operator.startsWith("<<") && !/^(?:\d+|-|\/dev\/null)$/.test(target))
    .map(({ operator, target }) => `${operator} ${target}`);
  const own = words.length === 1 && words[0] === ":" && before.length + after.length > 0 ? [] : words;
  return [...before, ...own, ...after].map(shown).join(" ");
}
