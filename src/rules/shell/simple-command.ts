import type { Assignment, CommandNode, Word } from "unbash";
import { expanderFor } from "./expander.ts";
import type { Frame } from "./frame.ts";
import { readRedirections } from "./redirections.ts";
import { runWords } from "./run.ts";
import { assign, change, childScope } from "./scope.ts";
import { type Expander, expandText, expandWord } from "./words.ts";

type Prefix = Extract<CommandNode, { type: "Command" }>["prefix"];
type Suffix = Extract<CommandNode, { type: "Command" }>["suffix"];

/** Expands the words of a simple command, applies its assignments and runs it. */
export function walkCommand(
  name: Word | undefined,
  prefix: Prefix,
  suffix: Suffix,
  frame: Frame,
): string | undefined {
  const expander = expanderFor(frame);
  const assignments = prefix.filter((part) => part.type === "Assignment");
  const words = name === undefined ? [] : [...expandWord(name, expander)];
  for (const part of suffix) {
    if (part.type === "Word") words.push(...expandWord(part, expander));
    else if (part.type === "Assignment") words.push(assignmentText(part, expander));
  }
  const redirects = [...prefix, ...suffix].filter((part) => isRedirection(part));
  const redirections = readRedirections(redirects, expander, frame);
  const scope = words.length === 0 || assignments.length === 0 ? frame.scope : childScope(frame.scope);
  const texts = assignments.map((assignment) => applyAssignment(assignment, expander, { ...frame, scope }));
  return runWords(
    words,
    { ...frame, scope, stdin: redirections.stdin ?? frame.stdin },
    { redirections, assignments: texts },
  );
}

function isRedirection<T extends { readonly type: string }>(
  part: T,
): part is Extract<T, { type: "Redirect" | "HereString" | "HereDoc" }> {
  return part.type === "Redirect" || part.type === "HereString" || part.type === "HereDoc";
}

function assignmentText(assignment: Assignment, expander: Expander): string {
  const { value } = assignment;
  const text =
    value.type === "Word"
      ? expandText(value, expander)
      : value.elements.map((word) => expandText(word, expander)).join(" ");
  return `${assignment.name}=${text}`;
}

/** Sets the variable and gives the assignment as text. */
function applyAssignment(assignment: Assignment, expander: Expander, frame: Frame): string {
  const { scope } = frame;
  const { name, value } = assignment;
  if (value.type === "ArrayValue") {
    const elements = value.elements.flatMap((word) => expandWord(word, expander));
    change(scope).arrays.set(
      name,
      assignment.append === true ? [...(scope.tables.arrays.get(name) ?? []), ...elements] : elements,
    );
    return `${name}=(${elements.join(" ")})`;
  }
  const text = expandText(value, expander);
  if (assignment.index !== undefined) {
    const list = [...(scope.tables.arrays.get(name) ?? [])];
    const at = Number(expandText(assignment.index, expander));
    if (at >= 0 && at < 256) list[at] = text;
    change(scope).arrays.set(
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

function appended(before: string | undefined, text: string): string | undefined {
  return before === undefined || before.length + text.length > 65_536 ? undefined : before + text;
}
