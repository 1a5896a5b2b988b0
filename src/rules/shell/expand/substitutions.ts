import type { CommandExpansionPart, ParsedScript, ProcessSubstitutionPart, SyntaxNode } from "unbash";
import { eachChild } from "../parser.ts";
import {
  countStep,
  deeper,
  EMPTY,
  type Frame,
  giveUp,
  mayRead,
  type Stream,
  withScope,
  writtenText,
} from "../state/frame.ts";
import { childScope } from "../state/scope.ts";
import { ITEM, unknown, withoutTrailing } from "../words/text.ts";

/** Walks `$(…)` and returns what it prints as partly known text. */
export function substitute(part: CommandExpansionPart, frame: Frame): string {
  if (!countStep(frame)) return unknown(part.text);
  const stream = fileOf(run(part.script, frame, frame.stdin), part.script, frame);
  if (stream.text !== undefined) return withoutTrailing(stream.text, "\n");
  frame.walk.substitutions.set(part.text, stream);
  return unknown(part.text);
}

/** `$(<file)` is the content of the file. */
function fileOf(stream: Stream, script: ParsedScript | undefined, frame: Frame): Stream {
  const [statement, ...others] = script?.commands ?? [];
  const command = others.length === 0 ? statement?.command : undefined;
  if (command?.type !== "Command" || command.name !== undefined) return stream;
  const reads = [...command.prefix, ...command.suffix].some((part) => /^(?:Redirect|Here)/.test(part.type));
  return reads
    ? {
        text: writtenText(
          stream.from.flatMap(({ reads: files }) => files),
          frame,
        ),
        from: stream.from,
      }
    : stream;
}

/** What flows into `>(…)` is decided by the command that it is given to. */
const FLOWS_IN: Stream = { text: unknown(ITEM), from: [] };

/** Walks `<(…)` or `>(…)` and returns its file name as partly known text. */
export function substituteProcess(part: ProcessSubstitutionPart, frame: Frame): string {
  const stdin: Stream = part.text.startsWith(">") ? FLOWS_IN : { text: undefined, from: [] };
  if (countStep(frame)) frame.walk.substitutions.set(part.text, run(part.script, frame, stdin));
  return unknown(part.text);
}

function run(script: ParsedScript | undefined, frame: Frame, stdin: Stream): Stream {
  const { walk } = frame;
  const start = walk.commands.length;
  if (script === undefined) giveUp(walk);
  else walk.walked.add(script);
  const text =
    script === undefined ? undefined : walk.run.script(script, deeper(frame, childScope(frame.scope), stdin));
  return { text, from: walk.commands.slice(start) };
}

const SUBSTITUTION = /\$\(|`|[<>]\(/;

/** True for a text that may hold a substitution. */
export function mayHoldSubstitution(text: string): boolean {
  return SUBSTITUTION.test(text);
}

/**
 * Walks every substitution of a script that the walk has missed: the shell runs it wherever it is written, also where
 * no command is expected.
 */
export function walkMissedSubstitutions(script: ParsedScript, frame: Frame): void {
  const inner = withScope(frame, childScope(frame.scope), EMPTY);
  const pending: SyntaxNode[] = [script];
  const add = (child: SyntaxNode): void => void pending.push(child);
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (
      node.type !== "CommandExpansion" &&
      node.type !== "ArithmeticCommandExpansion" &&
      node.type !== "ProcessSubstitution"
    ) {
      eachChild(node, add);
      continue;
    }
    // Its tree is parsed on demand, and texts inside texts make many.
    if (!mayRead(frame.walk, node.text.length)) return;
    const { script: inside, text, pos, end } = node;
    if (inside === undefined || !frame.walk.walked.has(inside)) {
      if (node.type === "ProcessSubstitution") substituteProcess(node, inner);
      else substitute({ type: "CommandExpansion", pos, end, text, script: inside }, inner);
    }
    if (inside !== undefined) pending.push(inside);
  }
}
