import type { AndOr, CommandNode, CompoundList, ParsedScript, PipelineNode, Statement, Word } from "unbash";
import { settleLogins } from "../behaviours/secrets.ts";
import { nothingBut } from "../describe.ts";
import { forEachExpansion, mayBeCommands, noteArithmetic, testWords } from "../expand/evaluated.ts";
import { mayHoldSubstitution } from "../expand/substitutions.ts";
import { expandText, expandWord, expandWords } from "../expand/words.ts";
import { parseShell } from "../parser.ts";
import { CHANGES_PROGRAMS } from "../programs/program-name.ts";
import {
  BARE_CONTEXT,
  countStep,
  deeper,
  emit,
  type Frame,
  type FunctionBody,
  giveUp,
  mayRead,
  storeText,
  withScope,
} from "../state/frame.ts";
import { assign, change, childScope } from "../state/scope.ts";
import { leave, perhaps, remember, UNKNOWN_FOLDER } from "../state/settle.ts";
import { missingFile, withoutOverwriting } from "./guards.ts";
import { isEndlessFork, roundsOf } from "./loops.ts";
import { emitRedirections, readRedirections, settleRedirections } from "./redirections.ts";
import { walkCommand } from "./simple-command.ts";

/** Walks shell text. */
export function walkText(text: string, frame: Frame): string | undefined {
  if (!countStep(frame)) return undefined;
  const script = mayRead(frame.walk, text.length) ? parseShell(text) : undefined;
  if (script !== undefined) {
    if (mayHoldSubstitution(text)) frame.walk.scripts.push(script);
    return walkScript(script, deeper(frame));
  }
  giveUp(frame.walk);
  return undefined;
}

export function walkScript(script: ParsedScript, frame: Frame): string | undefined {
  if (script.errors !== undefined && script.errors.length > 0) giveUp(frame.walk);
  return walkList(script.commands, frame);
}

function walkList(statements: readonly Statement[], frame: Frame): string | undefined {
  let whole: string | undefined = "";
  for (const { command, background } of statements) {
    const inner = background === true ? withScope(frame, childScope(frame.scope), frame.stdin, true) : frame;
    const output = command.type === "AndOr" ? walkAndOr(command, inner) : walkNode(command, inner);
    whole = both(whole, output);
  }
  return whole;
}

function both(first: string | undefined, second: string | undefined): string | undefined {
  return first === undefined || second === undefined ? undefined : first + second;
}

function together(outputs: readonly (string | undefined)[]): string | undefined {
  return outputs.every((output) => output !== undefined) ? outputs.join("") : undefined;
}

/** Only the first surely runs. After `&&` the one before has run, after `||` perhaps none. */
function walkAndOr({ commands, operators }: AndOr, frame: Frame): string | undefined {
  const { scope } = frame;
  const { folder } = scope;
  let whole = walkSome(commands, 0, 1, frame);
  const mayFail = scope.otherFolder;
  for (let at = 1; at < commands.length; ) {
    const from = at;
    const either = operators[from - 1] === "||";
    let end = from + 1;
    while (!either && end < commands.length && operators[end - 1] === "&&") end += 1;
    const reached = scope.folder;
    // It runs when the one before has failed, which may have been to go there.
    if (either && reached !== folder) scope.folder = UNKNOWN_FOLDER;
    const started = scope.folder;
    // After `&&` the folder was reached; after `||` it is the other one.
    scope.otherFolder = undefined;
    const start = frame.walk.commands.length;
    whole = both(
      whole,
      perhaps(frame, () => walkSome(commands, from, end, frame)),
    );
    withoutOverwriting(
      frame.walk.commands,
      start,
      missingFile(commands[from - 1], either ? "fails" : "holds"),
    );
    if (scope.folder === started) scope.folder = reached;
    if (either && commands.slice(from, end).some(endsLine)) return whole;
    at = end;
  }
  scope.otherFolder = mayFail;
  return whole;
}

/** True for `exit` and the like, alone or at the end of a group: after `cd x || exit` the line goes on in `x` only. */
function endsLine(node: PipelineNode | CompoundList): boolean {
  if (node.type === "BraceGroup")
    return node.body.commands.some(({ command }) => command.type !== "AndOr" && endsLine(command));
  return (
    node.type === "Command" &&
    /^(?:exit|return|die|fail|abort|break|continue|exec)$/.test(node.name?.value ?? "")
  );
}

function walkSome(nodes: AndOr["commands"], from: number, end: number, frame: Frame): string | undefined {
  let whole: string | undefined = "";
  for (let at = from; at < end; at += 1) {
    const node = nodes[at];
    if (node !== undefined) whole = both(whole, walkNode(node, frame));
  }
  return whole;
}

function walkPipeline(nodes: readonly CommandNode[], frame: Frame): string | undefined {
  if (nodes.length === 1 && nodes[0] !== undefined) return walkNode(nodes[0], frame);
  const { commands } = frame.walk;
  const start = commands.length;
  let stdin = frame.stdin;
  let output: string | undefined;
  for (const node of nodes) {
    const isLast = node === nodes[nodes.length - 1];
    const inner = withScope(frame, isLast ? frame.scope : childScope(frame.scope), stdin, true);
    // Some shells run the last one themselves.
    output = isLast ? perhaps(frame, () => walkNode(node, inner)) : walkNode(node, inner);
    stdin = { text: output, from: commands.slice(start) };
  }
  settleLogins(frame.walk, start);
  return output;
}

/** Walks one node of the tree. A node of an unknown kind is given up on. */
function walkNode(node: PipelineNode | CompoundList, frame: Frame): string | undefined {
  if (node.type === "Command") return walkCommand(node.name, node.prefix, node.suffix, frame);
  if (!countStep(frame)) return undefined;
  const inner: Frame = deeper(frame);
  if (node.type === "Pipeline") return walkPipeline(node.commands, inner);
  return walkCompound(node, frame, inner);
}

type Compound = Exclude<PipelineNode | CompoundList, { type: "Command" | "Pipeline" }>;

function walkCompound(node: Compound, frame: Frame, inner: Frame): string | undefined {
  const body = (list: CompoundList): string | undefined =>
    perhaps(frame, () => walkList(list.commands, inner));
  switch (node.type) {
    case "CompoundList":
    case "BraceGroup":
      return walkList(node.type === "BraceGroup" ? node.body.commands : node.commands, inner);
    case "Subshell":
      return walkList(node.body.commands, withScope(inner, childScope(frame.scope)));
    case "If": {
      const { folder } = frame.scope;
      const clause = walkList(node.clause.commands, inner);
      // `if cd x; then …`: inside it was reached.
      const { otherFolder } = frame.scope;
      if (frame.scope.folder !== folder) frame.scope.otherFolder = undefined;
      const start = frame.walk.commands.length;
      const parts = [clause, body(node.then)];
      withoutOverwriting(frame.walk.commands, start, missingFile(node.clause, "holds"));
      frame.scope.otherFolder = otherFolder;
      for (const branch of node.elif) parts.push(body(branch.clause), body(branch.then));
      if (node.else !== undefined) parts.push(body(node.else));
      return together(parts);
    }
    case "While":
      if (isEndlessFork(node)) forkBomb(frame, "while");
      return untilStable(inner, () => together([body(node.clause), body(node.body)]));
    case "For":
      return walkFor(node.name.value, node.wordlist, node.body, inner);
    case "Select":
      assign(frame.scope, "REPLY", undefined);
      // The user may choose none.
      return perhaps(frame, () => walkFor(node.name.value, node.wordlist, node.body, inner));
    case "ArithmeticFor":
      for (const expression of [node.initialize, node.test, node.update]) {
        forEachExpansion({ expression }, (part) => expandWord({ ...blank, parts: [part] }, inner));
      }
      return untilStable(inner, () => body(node.body));
    case "ArithmeticCommand":
      forEachExpansion(node, (part) => expandWord({ ...blank, parts: [part] }, inner));
      noteArithmetic(node.body, inner);
      // Where it is not arithmetic, it is a subshell in a subshell.
      if (mayBeCommands(node.body, frame.scope.shell))
        perhaps(frame, () => frame.walk.run.text(node.body, withScope(inner, childScope(frame.scope))));
      return "";
    case "TestCommand":
      for (const word of testWords(node.expression)) expandText(word, inner);
      return "";
    case "Case":
      expandText(node.word, inner);
      return together(
        node.items.map((item) => {
          for (const pattern of item.pattern) expandText(pattern, inner);
          return body(item.body);
        }),
      );
    case "Function":
      change(frame.scope).functions.set(node.name.value, node.body);
      return "";
    case "Coproc":
      assign(frame.scope, node.name?.value ?? "COPROC", undefined);
      return walkNode(node.body, withScope(inner, childScope(frame.scope)));
    case "Redirected": {
      const redirections = readRedirections(node.redirects, inner);
      const at = emitRedirections(redirections, frame);
      const output = walkNode(node.command, withScope(inner, frame.scope, redirections.stdin));
      settleRedirections(redirections, at, output, frame);
      if (redirections.stdout === undefined) return output;
      storeText(redirections.stdout, output, redirections.appends, frame);
      return "";
    }
    default:
      node satisfies never;
      giveUp(frame.walk);
      return undefined;
  }
}

function forkBomb(frame: Frame, target: string): void {
  emit(frame.walk, { ...nothingBut(frame, BARE_CONTEXT), behaviours: [{ kind: "fork-bomb", target }] });
}

const blank: Word = { type: "Word", text: "", value: "", pos: 0, end: 0 };

/** A second round when the first has changed a variable that was there before: the loop sees it the next time. */
function untilStable(frame: Frame, round: () => string | undefined): string | undefined {
  const before = new Map(frame.scope.tables.variables);
  const output = round();
  const changed = [...before].some(([name, value]) => frame.scope.tables.variables.get(name) !== value);
  return changed ? together([output, round()]) : output;
}

function walkFor(
  name: string,
  words: readonly Word[] | undefined,
  list: CompoundList,
  frame: Frame,
): string | undefined {
  const values = words === undefined ? frame.scope.positional : expandWords(words, frame);
  if (CHANGES_PROGRAMS.test(`${name}=`)) frame.walk.dynamic = true;
  return together(
    roundsOf(values, name, frame.walk).map((value) => {
      assign(frame.scope, name, value);
      return perhaps(frame, () => walkList(list.commands, frame));
    }),
  );
}

/** Walks the body of a function that is called with these arguments. */
export function walkFunction(
  name: string,
  body: FunctionBody,
  args: readonly string[] | undefined,
  frame: Frame,
): string | undefined {
  const { walk, calls, scope } = frame;
  walk.called.add(name);
  if (calls.includes(body)) {
    const last = walk.commands.at(-1);
    if (frame.spawns && last !== undefined) {
      const behaviours = [...last.behaviours, { kind: "fork-bomb", target: name } as const];
      walk.commands[walk.commands.length - 1] = { ...last, behaviours };
    }
    return undefined;
  }
  const before = remember(scope);
  const { locals } = scope;
  const own = new Set<string>();
  scope.positional = args;
  scope.locals = own;
  const output = walkNode(body, deeper(frame, scope, frame.stdin, [...calls, body]));
  scope.positional = before.positional;
  scope.locals = locals;
  leave(scope, before, own);
  return output;
}
