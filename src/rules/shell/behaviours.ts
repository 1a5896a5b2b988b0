import type { Behaviour, BehaviourKind } from "./analysis.ts";
import { deviceHost, isLocalHost } from "./hosts.ts";
import { codeLosses, lossesOf } from "./loss.ts";
import { unknownParts } from "./marked.ts";
import type { CodeFindings } from "./read-code.ts";
import { printedSecrets } from "./secrets.ts";
import { sentBy, sentByCode } from "./sends.ts";
import { SHELL_NAMES } from "./shell-names.ts";
import type { Subject } from "./subject.ts";
import { plainList } from "./touches.ts";

const ONLY_METADATA = new Set(["chmod", "chown", "chgrp", "mkdir", "setfacl"]);

/** What a command does beyond its name and options; `code` is its inline code, read from `source`. */
export function behavioursOf(
  subject: Subject,
  code: CodeFindings | undefined,
  source: string | undefined,
): readonly Behaviour[] {
  if (subject.name === "") return unknownName(subject);
  const found: Behaviour[] = [];
  const add = (kind: BehaviourKind, ...targets: readonly (readonly string[])[]): void => {
    for (const target of plainList(...targets)) found.push({ kind, target });
  };
  add("loses", lossesOf(subject));
  add("sends", sentBy(subject));
  add("discloses", subject.touches.reads);
  if (!ONLY_METADATA.has(subject.name))
    add("changes", subject.touches.writes, subject.touches.deletes, subject.touches.moves);
  add("prints-secret", printedSecrets(subject));
  if (code !== undefined) {
    add("loses", codeLosses(code));
    add(
      "changes",
      code.deletes.filter((path) => path !== ""),
    );
    add("sends", sentByCode(code));
    add("discloses", code.reads);
    if (code.forks) add("fork-bomb", [subject.name]);
    if (code.shellOnSocket) add("reverse-shell", [""]);
  }
  if (isReverseShell(subject)) add("reverse-shell", [""]);
  if (runsDownload(subject) || (code !== undefined && comesFromNetwork(subject, source)))
    add("remote-code", [""]);
  return found;
}

const MAY_CARRY_A_SHELL = new Set("nc ncat netcat nc.traditional nc.openbsd telnet openssl socat".split(" "));

/** A program whose very name comes from the network runs what somebody else wrote. */
function unknownName(subject: Subject): readonly Behaviour[] {
  return comesFromNetwork(subject, subject.first) ? [{ kind: "remote-code", target: "" }] : [];
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
  if (SHELL_NAMES.has(name)) return [...redirections.writes, ...redirections.reads].some(remoteDevice);
  if (!MAY_CARRY_A_SHELL.has(name)) return false;
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
