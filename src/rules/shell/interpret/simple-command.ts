import type { Assignment, CommandNode, Word } from "unbash";
import { expandText, expandWord, expandWords } from "../expand/words.ts";
import { type Frame, withScope } from "../state/frame.ts";
import { assign, assignList, type Scope } from "../state/scope.ts";
import { leave, remember } from "../state/settle.ts";
import { unknown } from "../words/text.ts";
import { readRedirections } from "./redirections.ts";

type Prefix = Extract<CommandNode, { type: "Command" }>["prefix"];
type Suffix = Extract<CommandNode, { type: "Command" }>["suffix"];

/** Expands the words of a simple command, applies its assignments and runs it. */
export function walkCommand(
  name: Word | undefined,
  prefix: Prefix,
  suffix: Suffix,
  frame: Frame,
): string | undefined {
  const assignments = prefix.filter((part) => part.type === "Assignment");
  const words = name === undefined ? [] : [...expandWord(name, frame)];
  for (const part of suffix) {
    if (part.type === "Word") words.push(...expandWord(part, frame));
    else if (part.type === "Assignment") words.push(assignmentText(part, frame));
  }
  const redirections = readRedirections(
    [...prefix, ...suffix].filter((part) => isRedirection(part)),
    frame,
  );
  const { scope } = frame;
  const before = words.length === 0 || assignments.length === 0 ? undefined : remember(scope);
  const texts = assignments.map((assignment) => applyAssignment(assignment, frame));
  const inner = redirections.stdin === undefined ? frame : withScope(frame, scope, redirections.stdin);
  const given = before === undefined ? undefined : scope.tables.variables;
  const output = frame.walk.run.words(words, inner, { redirections, assignments: texts });
  if (before !== undefined && given !== undefined) {
    // What was assigned for this command ends with it, unless the command has set it too or some shells keep it.
    const names = new Set(assignments.map((assignment) => assignment.name));
    const kept = [...names].filter(
      (name) => KEEPS.has(words[0] ?? "") || scope.tables.variables.get(name) !== given.get(name),
    );
    leave(scope, before, names);
    for (const name of kept) assign(scope, name, undefined);
  }
  return output;
}

/** Builtins after which a shell that follows POSIX keeps what was assigned for them. */
const KEEPS = new Set(": . eval exec export readonly set shift source times trap unset".split(" "));

function isRedirection<T extends { readonly type: string }>(
  part: T,
): part is Extract<T, { type: "Redirect" | "HereString" | "HereDoc" }> {
  return part.type === "Redirect" || part.type === "HereString" || part.type === "HereDoc";
}

function assignmentText(assignment: Assignment, frame: Frame): string {
  const { value } = assignment;
  const text =
    value.type === "Word"
      ? expandText(value, frame)
      : value.elements.map((word) => expandText(word, frame)).join(" ");
  return `${assignment.name}=${text}`;
}

/** Sets the variable and returns the assignment as text. */
function applyAssignment(assignment: Assignment, frame: Frame): string {
  const { scope } = frame;
  const { name, value } = assignment;
  if (value.type === "ArrayValue") {
    const elements = expandWords(value.elements, frame);
    assignList(scope, name, assignment.append === true ? [...listOf(scope, name), ...elements] : elements);
    return `${name}=(${elements.join(" ")})`;
  }
  const text = expandText(value, frame);
  if (assignment.index !== undefined) {
    const list = [...listOf(scope, name)];
    const at = Number(expandText(assignment.index, frame));
    if (at >= 0 && at < 256) list[at] = text;
    assignList(
      scope,
      name,
      Array.from(list, (item) => item ?? ""),
    );
  } else if (assignment.append === true) {
    assign(
      scope,
      name,
      scope.tables.variables.has(name) ? appended(scope.tables.variables.get(name), text) : undefined,
    );
  } else {
    assign(scope, name, text);
  }
  return `${name}=${text}`;
}

/** The elements of a variable: a plain one is a list of one. */
function listOf({ tables }: Scope, name: string): readonly string[] {
  const { variables, arrays } = tables;
  return arrays.get(name) ?? (variables.has(name) ? [variables.get(name) ?? unknown(`$${name}`)] : []);
}

function appended(before: string | undefined, text: string): string | undefined {
  return before === undefined || before.length + text.length > 65_536 ? undefined : before + text;
}
