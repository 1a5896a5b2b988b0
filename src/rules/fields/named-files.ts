import { filesOfPatch, namedFiles } from "../../core/match/tool-inputs.ts";
import type { FieldPath } from "./field-path.ts";
import { toolOf } from "./shell-text.ts";
import type { RuleEvent, Subject } from "./subject.ts";
import { readPath } from "./values.ts";

/** The files a call names, as written: of a tool's input, of a patch, or of the event itself. */
export function filesOf(subject: Subject): readonly string[] {
  const tool = toolOf(subject.event);
  if (tool === "Bash") return [];
  const input = readPath(subject.event, ["tool_input"]);
  if (tool === "ApplyPatch") return filesOfPatch(input).map((file) => file.path);
  return namedFiles(input === undefined ? subject.event : input).map((file) => file.path);
}

/** Where the first of these files is named, when a field holds it and nothing else. */
export function fileFieldOf(event: RuleEvent): FieldPath | undefined {
  if (toolOf(event) === "Bash") return undefined;
  const input = readPath(event, ["tool_input"]);
  const [first] = namedFiles(input === undefined ? event : input);
  if (first === undefined) return undefined;
  return input === undefined ? first.field : ["tool_input", ...first.field];
}
