import { isRecord, sameJson, withoutUndefined } from "../core/base/json.ts";
import { refuses } from "../core/decide/read-answer.ts";
import { deny, type Outcome } from "../core/events/outcomes.ts";
import type { AnyEvent } from "../core/events/payloads.ts";
import { filesOfPatch, namedFiles, patchedFiles, plainName } from "../core/match/tool-inputs.ts";
import { canonicalToolOf } from "../core/match/tool-names.ts";
import { readShell } from "../rules/fields/shell-text.ts";
import type { HandlerPorts } from "./handler.ts";

/*
 * A hook that was written for one agent and is asked by another one. First the call is put in our words, which are Claude
 * Code's; the adapter of the hook's own agent makes that agent's payload of it.
 */

type Fields = Readonly<Record<string, unknown>>;

/**
 * Asks a hook about an event as its own agent would: once for each file of a patch and each command of a list, until one
 * is refused. Its replies are read in the words of its own agent. An allow counts only where all of them are allowed.
 */
export async function askTranslated(
  agent: string,
  event: AnyEvent,
  { payloadOf }: Pick<HandlerPorts, "payloadOf">,
  ask: (translated: AnyEvent) => Promise<readonly Outcome[] | undefined>,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  let isAllowed = true;
  for (const call of commonCalls(event)) {
    const common = { ...event, ...call };
    const native = await payloadOf(agent, common);
    const { tool_name = common.tool_name, tool_input = common.tool_input } = native;
    const translated = { ...common, tool_name, tool_input, host: agent, native };
    const said = (await ask(translated)) ?? [];
    outcomes.push(...forEvent(said, translated, event));
    isAllowed &&= said.some(({ type }) => type === "allow");
    if (said.some(refuses)) break;
  }
  return isAllowed ? outcomes : outcomes.filter(({ type }) => type !== "allow");
}

/** The calls, in our names of tools and fields, that do what a call of an agent's tool does. */
function commonCalls(event: AnyEvent): readonly Fields[] {
  const tool = canonicalToolOf(event);
  const { tool_input: input, cwd } = event;
  if (tool === undefined || !isRecord(input)) return [{}];
  const calls = CALLS[tool]?.(input, event) ?? [];
  if (calls.length === 0) return [{ tool_name: tool }];
  return calls.map(({ tool_name = tool, file_path, ...fields }) => {
    const file = typeof file_path === "string" ? { file_path: absolute(file_path, cwd) } : {};
    return { tool_name, tool_input: { ...(tool === "ApplyPatch" ? {} : input), ...file, ...fields } };
  });
}

const CALLS: Readonly<Record<string, (input: Fields, event: AnyEvent) => readonly Fields[]>> = {
  Bash: (_, event) => readShell(event).texts.map((command) => ({ command })),
  Read: filesIn,
  Delete: filesIn,
  Write: (input) => filesIn(input).map((file) => ({ ...file, ...textsIn(input, ["content"]) })),
  Edit: (input) => {
    const edits = Array.isArray(input.edits) ? input.edits.filter(isRecord) : [];
    const texts = (edits.length === 0 ? [input] : edits).map((edit) =>
      textsIn(edit, ["old_string", "new_string"]),
    );
    return filesIn(input).flatMap((file) => texts.map((text) => ({ ...file, ...text })));
  },
  ApplyPatch: patchCalls,
};

function filesIn(input: Fields): readonly Fields[] {
  return [...new Set(namedFiles(input).map(({ path }) => path))].map((file_path) => ({ file_path }));
}

/** Other agents' names of the texts that a tool writes, without their style. */
const TEXTS = {
  content: ["content", "contents", "text", "filetext", "filecontent", "codecontent"],
  old_string: ["oldstring", "oldstr", "oldstr1", "oldtext", "targetcontent"],
  new_string: ["newstring", "newstr", "newstr1", "newtext", "replacementcontent"],
} as const;

function textsIn(input: Fields, names: readonly (keyof typeof TEXTS)[]): Fields {
  const found = names.map((name) => {
    const known: readonly string[] = TEXTS[name];
    return [name, Object.entries(input).find(([key]) => known.includes(plainName(key)))?.[1]] as const;
  });
  return withoutUndefined(Object.fromEntries(found));
}

function absolute(path: string, cwd: string): string {
  return /^(?:[/~]|[A-Za-z]:)/.test(path) || cwd === "" ? path : `${cwd}/${path.replace(/^\.\//, "")}`;
}

/** What each file of a patch was, and becomes: as an edit, or as the writing of a new file. */
function patchCalls(input: Fields): readonly Fields[] {
  const text = Object.values(input).find((one) => typeof one === "string" && patchedFiles(one).length > 0);
  const parts = typeof text === "string" ? partsOf(text) : [];
  const known = new Set(parts.map(({ path }) => path));
  // A hook sees every file that the patch names, also one whose lines it does not show.
  const others = [...new Set(filesOfPatch(input).map(({ path }) => path))].filter((path) => !known.has(path));
  return [
    ...parts.map(({ path, isNew, lines }) =>
      isNew
        ? { tool_name: "Write", file_path: path, content: sideOf(lines, "+") }
        : {
            tool_name: "Edit",
            file_path: path,
            old_string: sideOf(lines, "-"),
            new_string: sideOf(lines, "+"),
          },
    ),
    ...others.map((file_path) => ({ tool_name: "Edit", file_path })),
  ];
}

interface PatchPart {
  readonly path: string;
  readonly isNew: boolean;
  readonly lines: readonly string[];
}

const PART = /^[ \t]*\*\*\* (Add|Update|Delete) File: (.+)$/;

function partsOf(patch: string): readonly PatchPart[] {
  const parts: (PatchPart & { lines: string[] })[] = [];
  for (const line of patch.split("\n")) {
    const [, verb, path = ""] = PART.exec(line) ?? [];
    if (verb !== undefined) parts.push({ path: path.trim(), isNew: verb === "Add", lines: [] });
    else if (/^[-+ ]/.test(line)) parts.at(-1)?.lines.push(line);
  }
  return parts;
}

/** The lines before (`-`) or after (`+`) a patch. */
function sideOf(lines: readonly string[], side: "-" | "+"): string {
  return lines
    .filter((line) => line.startsWith(side) || line.startsWith(" "))
    .map((line) => `${line.slice(1)}\n`)
    .join("");
}

const REWRITTEN_INPUT: ReadonlySet<string> = new Set(["PreToolUse", "PermissionRequest"]);

/**
 * What a hook said about a translated event, for the event itself. An input that it wrote for another agent's tool is
 * refused where that tool has other fields: the call must not run as it was.
 */
function forEvent(outcomes: readonly Outcome[], translated: AnyEvent, event: AnyEvent): readonly Outcome[] {
  if (sameJson(translated.tool_input, event.tool_input)) return outcomes;
  return outcomes.map((outcome) =>
    outcome.type === "rewrite" && REWRITTEN_INPUT.has(event.hook_event_name)
      ? deny("A hook wants another input, which it can only write for the tools of another agent.")
      : outcome,
  );
}
