import { PROGRAM_FOLDERS } from "../../../shared/system-folders.ts";
import type { ShellCommand } from "../analysis.ts";
import { namedSecrets } from "../judge/secret-names.ts";
import { shown } from "../words/text.ts";
import { deeper, emit, type Frame, type Stream, withScope, writtenFile } from "./frame.ts";
import { change, childScope, type Scope } from "./scope.ts";

const VALUE_OPTIONS = new Set(["-o", "-O", "+O", "--rcfile", "--init-file"]);

/** `sh -c text`, `sh file` and `sh` that reads its standard input. */
export function runShell(command: ShellCommand, words: readonly string[], frame: Frame): string | undefined {
  const { text, args, file } = readShellWords(words);
  const inner: Frame = deeper(frame, childScope(frame.scope));
  inner.scope.positional = text === undefined ? args : args.slice(1);
  inner.scope.zero = (text === undefined ? file : args[0]) ?? command.name ?? "sh";
  inner.scope.shell = isBash(command.name) ? "bash" : "other";
  inner.scope.stopsOnError = words.some((word) => /^-[a-z]*e[a-z]*$/.test(word));
  const start = words.findIndex((word) => word === "--rcfile" || word === "--init-file");
  if (start !== -1) change(inner.scope).variables.set("BASH_ENV", words[start + 1]);
  const startup = start === -1 ? undefined : streamOf(words[start + 1] ?? "", frame);
  if (startup !== undefined) runStream(startup, inner);
  if (text !== undefined) {
    emit(frame.walk, command);
    return frame.walk.run.text(shown(text), inner);
  }
  const stream = file === undefined ? frame.stdin : streamOf(file, frame);
  const behaviours = remote(stream) ? [...command.behaviours, REMOTE] : command.behaviours;
  emit(frame.walk, { ...command, behaviours, dynamic: stream !== undefined && isUnknown(stream) });
  return stream?.text === undefined ? undefined : frame.walk.run.text(shown(stream.text), inner);
}

/** True for the shells in which two brackets are arithmetic. */
function isBash(name: string | undefined): boolean {
  return name === "bash" || name === "zsh" || name === "rbash";
}

const REMOTE = { kind: "remote-code", target: "" } as const;

function readShellWords(words: readonly string[]): { text?: string; args: readonly string[]; file?: string } {
  let takesText = false;
  let takesInput = false;
  let at = 0;
  for (; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (VALUE_OPTIONS.has(word)) at += 1;
    else if (word === "--" || word === "-") {
      at += 1;
      break;
    } else if (/^--command$/.test(word)) takesText = true;
    else if (/^--(?:init-)?command=/.test(word))
      return { text: word.slice(word.indexOf("=") + 1), args: words.slice(at) };
    else if (/^[-+]/.test(word)) {
      if (word.startsWith("--")) continue;
      if (word.includes("c")) takesText = true;
      else if (word.includes("s")) takesInput = true;
      // Each of them in a row of letters takes a word of its own: `-euo pipefail`.
      for (const letter of word) if (letter === "o" || letter === "O") at += 1;
    } else break;
  }
  const first = words[at];
  const args = words.slice(at + 1);
  if (takesText) return { text: first ?? "", args };
  if (takesInput) return { args: words.slice(at) };
  return first === undefined ? { args } : { file: first, args };
}

/** What the line knows about a file it is asked to run: its own output, or a `<(…)`. */
function streamOf(file: string, frame: Frame): Stream | undefined {
  if (file === "/dev/stdin" || file === "/dev/fd/0" || file === "-") return frame.stdin;
  // Another descriptor holds text from a here-document or a socket, which is not followed.
  if (/^\/(?:dev|proc\/[^/]+)\/fd\//.test(file))
    return { text: undefined, from: frame.walk.commands.slice(-1) };
  return frame.walk.substitutions.get(shown(file)) ?? writtenFile(file, frame);
}

function remote(stream: Stream | undefined): boolean {
  return stream?.from.some((command) => command.connects.length > 0) ?? false;
}

/** True for text that is unknown before it runs. A local file is a script like any other. */
function isUnknown(stream: Stream): boolean {
  if (stream.text !== undefined || stream.file !== undefined) return false;
  return stream.from.some((command) => command.name !== "cat" || command.reads.length === 0);
}

/** Runs what flows in, in this scope. */
function runStream(stream: Stream, frame: Frame): string | undefined {
  if (stream.text !== undefined) return frame.walk.run.text(shown(stream.text), frame);
  if (isUnknown(stream)) frame.walk.dynamic = true;
  return undefined;
}

/** Runs standard input as shell text. */
export function runStdin(frame: Frame): string | undefined {
  return frame.stdin.text === "" ? "" : runStream(frame.stdin, withScope(frame, childScope(frame.scope)));
}

/** `source file`: in the same scope, with a file the line may have written itself. */
export function runSourced(words: readonly string[], frame: Frame): string | undefined {
  const [file] = words;
  const stream = file === undefined ? undefined : streamOf(file, frame);
  if (stream?.text === undefined)
    frame.scope.sourced = holdsSecrets(stream ?? { text: undefined, from: [], file: file ?? "" });
  if (stream === undefined || printsSetup(stream)) return undefined;
  markRemote(stream, frame);
  return runStream(stream, frame);
}

/** What variables hold that come from such text. */
export function holdsSecrets(stream: Stream | undefined): Scope["sourced"] {
  const files = [stream?.file ?? "", ...(stream?.from.flatMap(({ reads }) => reads) ?? [])];
  return namedSecrets(files).length > 0 ? "secrets" : "settings";
}

/** `./script` that the line has just written or downloaded. */
export function runScriptFile(
  first: string,
  rest: readonly string[],
  interprets: boolean,
  frame: Frame,
): void {
  if (frame.walk.files.size === 0 && !frame.walk.unpacked) return;
  if (frame.walk.unpacked && /^[^/~]*\//.test(shown(first)))
    markRemote({ text: undefined, from: frame.walk.commands }, frame);
  const file = shown(first).includes("/") ? first : rest.find((word) => !word.startsWith("-"));
  const stream = file === undefined ? undefined : writtenFile(file, frame);
  if (stream === undefined || !shown(first).includes("/")) {
    if (stream !== undefined && interprets) markRemote(stream, frame);
    return;
  }
  markRemote(stream, frame);
  const inner = deeper(frame, childScope(frame.scope));
  inner.scope.shell = isBash(/^#!\S*?(?:env\s+)?(\w+)/.exec(stream.text ?? "")?.[1]) ? "bash" : "other";
  runStream(stream, inner);
}

/** The last listed command runs a stream: note when that came over the network. */
function markRemote(stream: Stream, frame: Frame): void {
  const last = frame.walk.commands.at(-1);
  if (!remote(stream) || last === undefined) return;
  frame.walk.commands[frame.walk.commands.length - 1] = { ...last, behaviours: [...last.behaviours, REMOTE] };
}

/** Tools that print settings for the shell, made for `eval "$(tool …)"` and `source <(tool …)`. */
const TOOLS = new Set(
  "ssh-agent dircolors lesspipe resize tset keychain gpg-agent thefuck register-python-argcomplete".split(
    " ",
  ),
);

/** The same for one subcommand of a tool. */
const SUBCOMMANDS =
  /^(?:luarocks path|direnv export|opam env|docker-machine env|minikube (?:docker-env|podman-env)|conda shell\.\w+|(?:micro)?mamba shell|[\w-]+ (?:completions?|hook|init|shellenv|activate|shell-init|env))$/;

const NEVER =
  /^(?:cat|echo|printf|curl|wget|env|base64|xxd|nc|python[\d.]*|node|perl|ruby|php|sh|bash|zsh|git|docker|ssh)$/;

/** Where programs are that the user has installed. */
const SETUP_FOLDERS: readonly string[] = [...PROGRAM_FOLDERS, "/home/linuxbrew/.linuxbrew/bin"];

/** True when text comes from a local tool whose purpose is to set up the shell. */
export function printsSetup(stream: Stream): boolean {
  return (
    stream.from.length > 0 &&
    stream.from.every((command) => command.connects.length === 0 && isSetup(command.text))
  );
}

/** Word by word: one expression for all of them can be made to try every way to share the dashes out. */
function isSetup(text: string): boolean {
  const [word = "", ...rest] = text.split(" ");
  const folder = word.slice(0, word.lastIndexOf("/"));
  const tool = SETUP_FOLDERS.includes(folder) ? word.slice(folder.length + 1) : word;
  if (NEVER.test(tool)) return false;
  const options = TOOLS.has(tool) ? rest : rest.slice(1);
  if (options === rest || SUBCOMMANDS.test(`${tool} ${rest[0] ?? ""}`))
    return options.every((word) => /^[\w./=-]+$/.test(word));
  return false;
}
