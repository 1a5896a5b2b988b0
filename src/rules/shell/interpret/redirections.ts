import type { Redirection } from "unbash";
import type { ShellRedirection } from "../analysis.ts";
import { nothingBut } from "../describe.ts";
import { expandText, joined } from "../expand/words.ts";
import { isReadBy } from "../judge/costly.ts";
import { emit, type Frame, NO_REDIRECTIONS, type Redirections, type Stream } from "../state/frame.ts";
import { assign, change } from "../state/scope.ts";
import { shown } from "../words/text.ts";

/** Reads redirections and says what they touch; `exec 3<>file` and later `>&3` are followed. */
export function readRedirections(redirects: readonly Redirection[], frame: Frame): Redirections {
  if (redirects.length === 0) return NO_REDIRECTIONS;
  const list: ShellRedirection[] = [];
  const reads: string[] = [];
  const writes: string[] = [];
  const truncates: string[] = [];
  let stdout: string | undefined;
  let stdin: Stream | undefined;
  let appends = false;
  for (const redirect of redirects) {
    const descriptor = descriptorOf(redirect);
    // `exec {name}> file` sets the variable to a number.
    if (redirect.descriptor?.type === "FileDescriptorVariable") assign(frame.scope, descriptor, undefined);
    if (redirect.type === "HereDoc") {
      const text =
        redirect.body.parts === undefined ? redirect.body.text : joined(redirect.body.parts, frame);
      if (descriptor === "" || descriptor === "0") stdin = { text, from: [] };
      list.push({ operator: "<<", target: redirect.delimiter?.value ?? "" });
      continue;
    }
    const target = redirect.target === undefined ? "" : expandText(redirect.target, frame);
    list.push({ operator: descriptor + redirect.operator, target: shown(target) });
    if (redirect.type === "HereString") {
      stdin = { text: `${target}\n`, from: [] };
      continue;
    }
    const path =
      /^[<>]&$/.test(redirect.operator) && /^(?:\d+|-)$/.test(target)
        ? frame.scope.tables.descriptors.get(target)
        : target;
    if (path === undefined || path === "") continue;
    if (descriptor !== "") change(frame.scope).descriptors.set(descriptor, path);
    if (redirect.operator.startsWith("<")) {
      reads.push(path);
      const feed = frame.walk.substitutions.get(shown(path)) ?? frame.walk.files.get(shown(path));
      if (descriptor === "" || descriptor === "0") stdin = feed ?? { text: undefined, from: [], file: path };
    }
    if (redirect.operator !== "<" && redirect.operator !== "<&") {
      writes.push(path);
      if (/^(?:>|>\||&>)$/.test(redirect.operator)) truncates.push(path);
      if (redirect.operator === ">>") appends = true;
      if (descriptor === "" || descriptor === "1") stdout = path;
    }
  }
  return { list, reads, writes, truncates, stdout, appends, stdin };
}

function descriptorOf(redirect: Redirection): string {
  if (redirect.descriptor === undefined) return "";
  return redirect.descriptor.type === "FileDescriptor"
    ? String(redirect.descriptor.value)
    : redirect.descriptor.name;
}

/**
 * Lists the redirections of a loop, group or bare `> file` as a command of their own. A file that is emptied counts as
 * lost only when {@link settleRedirections} finds that nothing is written into it.
 *
 * @returns where in the list that command is; `undefined` when the redirections touch nothing.
 */
export function emitRedirections(redirections: Redirections, frame: Frame): number | undefined {
  if (redirections.reads.length + redirections.writes.filter((path) => path !== "/dev/null").length === 0)
    return undefined;
  emit(frame.walk, nothingBut(frame, { redirections: { ...redirections, truncates: [] }, assignments: [] }));
  return frame.walk.commands.length - 1;
}

/** Says what a redirected group has lost: all that was in a file when it prints nothing, or reads that file itself. */
export function settleRedirections(
  redirections: Redirections,
  at: number | undefined,
  output: string | undefined,
  frame: Frame,
): void {
  const { truncates } = redirections;
  if (at === undefined || truncates.length === 0) return;
  const inside = frame.walk.commands.slice(at);
  const lost =
    output === "" ? truncates : truncates.filter((path) => isReadBy(inside, path, frame.scope.folder));
  if (lost.length === 0) return;
  const context = { redirections: { ...redirections, truncates: lost }, assignments: [] };
  frame.walk.commands[at] = nothingBut(frame, context);
}
