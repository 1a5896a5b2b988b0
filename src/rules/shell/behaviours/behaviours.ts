import type { Behaviour, BehaviourKind } from "../analysis.ts";
import type { CodeFindings } from "../code/read-code.ts";
import { isSecretWhenPrinted } from "../judge/secret-names.ts";
import { unwrap } from "../programs/inner-commands.ts";
import type { Invocation } from "../programs/program-row.ts";
import { type Program, programOf } from "../programs/programs.ts";
import type { Stream } from "../state/frame.ts";
import { isRemoteDevice } from "../words/hosts.ts";
import { joinPath } from "../words/paths.ts";
import { shown, unknownParts } from "../words/text.ts";
import { codeLosses, lossesOf, overwritten } from "./loss.ts";
import { sentBy, sentByCode } from "./sends.ts";
import { NOTHING, plainList } from "./touches.ts";

/** What a command does beyond its name and options; `code` is its inline code, read from `source`. */
export function behavioursOf(
  program: Program,
  invocation: Invocation,
  code: CodeFindings | undefined,
  source: string | undefined,
): readonly Behaviour[] {
  if (invocation.name === "") return unknownName(invocation);
  if (invocation.touches === NOTHING && code === undefined && !actsWithoutFiles(program)) return NONE;
  const found: Behaviour[] = [];
  const { reads, writes, deletes, moves } = invocation.touches;
  const changes = writes.length + deletes.length + moves.length > 0;
  if (changes || losesWithoutFiles(program) || invocation.redirections.truncates.length > 0)
    add(found, "loses", lossesOf(program, invocation));
  add(found, "sends", sentBy(program, invocation, code));
  add(found, "discloses", reads);
  if (changes && !program.is.has("metadataOnly")) add(found, "changes", plainList([writes, deletes, moves]));
  add(found, "prints-secret", printedSecrets(program, invocation));
  add(found, "overwrites", overwritten(program, invocation, code));
  if (program.acts !== undefined)
    found.push(...program.acts(invocation, () => runsElsewhere(program, invocation)));
  if (code !== undefined) {
    add(found, "loses", codeLosses(code));
    add(found, "changes", [
      ...code.deletes.filter((path) => path !== ""),
      ...code.written.map((path) => joinPath(invocation.folder, path)),
    ]);
    add(found, "sends", sentByCode(code));
    add(found, "discloses", code.reads);
    if (code.forks) found.push({ kind: "fork-bomb", target: shown(invocation.name) });
    if (code.shellOnSocket) found.push({ kind: "reverse-shell", target: "" });
    if (code.remote) found.push({ kind: "remote-code", target: "" });
    add(
      found,
      "prints-secret",
      code.printed.filter((name) => name === "*" || isSecretWhenPrinted(name)).map((name) => `$${name}`),
    );
  }
  if (isReverseShell(program, invocation)) found.push({ kind: "reverse-shell", target: "" });
  if (
    (program.is.has("interpreter") && runsDownload(invocation)) ||
    (code !== undefined && comesFromNetwork(invocation, source))
  )
    found.push({ kind: "remote-code", target: "" });
  return found.length === 0 ? NONE : found;
}

const NONE: readonly Behaviour[] = [];

/** The commands of a wrapper as texts. */
function runsElsewhere(program: Program, { words }: Invocation): readonly string[] | undefined {
  const { runs } = unwrap(program, words) ?? {};
  return runs?.map((run) => shown(run.type === "text" ? run.text : run.words.join(" ")));
}

/** True for a program that may have a behaviour though it touches nothing. */
function actsWithoutFiles(program: Program): boolean {
  const { is, printsSecret, carriesShell, acts } = program;
  return (
    losesWithoutFiles(program) ||
    acts !== undefined ||
    printsSecret !== undefined ||
    carriesShell !== undefined ||
    is.has("interpreter")
  );
}

function losesWithoutFiles({ database, loses }: Program): boolean {
  return database !== undefined || loses !== undefined;
}

function add(found: Behaviour[], kind: BehaviourKind, targets: readonly string[]): void {
  if (targets.length === 0) return;
  for (const target of plainList([targets])) found.push({ kind, target });
}

/** The variables or programs whose secret a command prints. */
function printedSecrets({ printsSecret }: Program, invocation: Invocation): readonly string[] {
  if (typeof printsSecret === "function") return printsSecret(invocation);
  if (printsSecret === undefined) return [];
  const { name, line, first, parsed } = invocation;
  const rest = shown(line.slice(first.length)).slice(0, 400);
  // Options may come before the subcommand, which the expressions begin with.
  const options = parsed.flags.flatMap((flag) => {
    const value = parsed.options.find((option) => option.flag === flag)?.value;
    return value === undefined ? [flag] : [flag, value];
  });
  const sorted = shown(["", ...parsed.args, ...options].join(" ")).slice(0, 400);
  const printed = printsSecret.test(rest) ? rest : printsSecret.test(sorted) ? sorted : undefined;
  return printed === undefined ? [] : [(name + printed).split(" ").slice(0, 3).join(" ")];
}

/** A program whose very name comes from the network runs what somebody else wrote. */
function unknownName(invocation: Invocation): readonly Behaviour[] {
  return comesFromNetwork(invocation, invocation.first) ? [{ kind: "remote-code", target: "" }] : [];
}

function comesFromNetwork(invocation: Invocation, text: string | undefined): boolean {
  const streams = unknownParts(text ?? "").flatMap(
    (part) => invocation.walk.substitutions.get(part)?.from ?? [],
  );
  return streams.some((command) => command.connects.length > 0);
}

/** Whether an interpreter is fed by a download, such as `curl … | python3`. */
function runsDownload(invocation: Invocation): boolean {
  const { parsed, stdin, words } = invocation;
  if (words.some((word) => /^\uE000<\(/.test(word) && comesFromNetwork(invocation, word))) return true;
  const named = parsed.args.length === 0 ? parsed.options.length === 0 : parsed.args[0] === "-";
  const readsCode =
    named || parsed.options.some(({ flag, value }) => flag === "-f" && /^(?:-|\/dev\/stdin)$/.test(value));
  return readsCode && stdin.from.some((command) => command.connects.length > 0);
}

function isReverseShell({ is, carriesShell }: Program, invocation: Invocation): boolean {
  const { parsed, words, redirections, stdin } = invocation;
  if (is.has("shell")) return [...redirections.writes, ...redirections.reads].some(isRemoteDevice);
  switch (carriesShell) {
    case undefined:
      return false;
    case "address":
      return (
        words.some((word) => /^(?:EXEC|SYSTEM):/i.test(word)) &&
        words.some((word) => /^(?:TCP|OPENSSL|UDP|SSL)/i.test(word))
      );
    case "input or option":
      if (parsed.flags.some((flag) => flag === "-e" || flag === "-c" || flag === "--lua-exec")) return true;
      return isFedByShell(stdin);
    case "input":
      return isFedByShell(stdin);
    default:
      return carriesShell satisfies never;
  }
}

function isFedByShell({ from }: Stream): boolean {
  return from.some(({ name = "", args }) => programOf(name).is.has("shell") && args.length === 0);
}
