import { isRecord, sameJson, withoutUndefined } from "../core/base/json.ts";
import { deny, type Outcome } from "../core/events/outcomes.ts";
import type { AnyEvent } from "../core/events/payloads.ts";
import { filesOfPatch, namedFiles, patchedFiles } from "../core/match/tool-inputs.ts";
import { canonicalToolOf } from "../core/match/tool-names.ts";

/*
 * A hook that was written for one agent and is asked by another one. Our events have Claude Code's names and fields, so
 * that its payload can be made of any event; the replies of all agents' hooks are read in the words of their own agent.
 */

type Fields = Readonly<Record<string, unknown>>;

/** The agents whose payloads can be made of the events of others. */
const TRANSLATED: ReadonlySet<string> = new Set(["claude"]);

/** True when a hook for one agent gets that agent's payload from another one. */
export function isTranslated(writtenFor: string, host: string): boolean {
  return writtenFor === host || TRANSLATED.has(writtenFor);
}

/**
 * An event as the hook's own agent would tell of it: several for a patch of several files, about which that agent asks one by
 * one.
 */
export function asToldBy(writtenFor: string, event: AnyEvent): readonly AnyEvent[] {
  if (event.host === writtenFor) return [event];
  if (!TRANSLATED.has(writtenFor)) return [{ ...event, host: writtenFor }];
  return claudeCalls(event).map((call) => {
    const told = { ...event, ...call, host: writtenFor };
    return { ...told, native: claudePayload(told) };
  });
}

/** Fields that only we have, or that another agent has for itself. */
const NOT_SENT: ReadonlySet<string> = new Set(["native", "host", "usage", "turn_id", "continuations"]);

function claudePayload(event: AnyEvent): Fields {
  const { session_id, cwd, hook_event_name } = event;
  const isStop = hook_event_name === "Stop" || hook_event_name === "SubagentStop";
  return {
    session_id,
    transcript_path: "",
    cwd,
    permission_mode: "default",
    ...(isStop ? { stop_hook_active: false } : {}),
    ...Object.fromEntries(Object.entries(event).filter(([name]) => !NOT_SENT.has(name))),
    hook_event_name,
  };
}

/** The calls of Claude Code's tools that do what a call of another agent's tool does. */
function claudeCalls(event: AnyEvent): readonly Fields[] {
  const tool = canonicalToolOf(event);
  const { tool_input: input, tool_response: response } = event;
  if (tool === undefined || !isRecord(input)) return [{}];
  const after =
    tool === "Bash" && typeof response === "string"
      ? { tool_response: { stdout: response, stderr: "", interrupted: false, isImage: false } }
      : {};
  const patched = tool === "ApplyPatch" ? patchCalls(input, event.cwd) : [];
  if (patched.length > 0) return patched;
  return [{ tool_name: tool, tool_input: withFile(tool, input, event.cwd), ...after }];
}

const OF_FILES: ReadonlySet<string> = new Set(["Read", "Write", "Edit", "MultiEdit"]);

/** The input with the name that Claude Code has for the file. */
function withFile(tool: string, input: Fields, cwd: string): Fields {
  const [file] = OF_FILES.has(tool) ? namedFiles(input) : [];
  if (file === undefined) return input;
  const { content = input.contents ?? input.text } = input;
  return {
    ...input,
    file_path: absolute(file.path, cwd),
    ...(tool === "Write" ? withoutUndefined({ content }) : {}),
  };
}

function absolute(path: string, cwd: string): string {
  return /^(?:[/~]|[A-Za-z]:)/.test(path) || cwd === "" ? path : `${cwd}/${path.replace(/^\.\//, "")}`;
}

/** What each file of a patch was, and becomes: as an edit, or as the writing of a new file. */
function patchCalls(input: Fields, cwd: string): readonly Fields[] {
  const text = Object.values(input).find((one) => typeof one === "string" && patchedFiles(one).length > 0);
  const parts = typeof text === "string" ? partsOf(text) : [];
  const known = new Set(parts.map(({ path }) => path));
  // A file that a part of the patch does not show is told of nevertheless.
  const others = [...new Set(filesOfPatch(input).map(({ path }) => path))].filter((path) => !known.has(path));
  return [
    ...parts.map(({ path, isNew, lines }) => ({
      tool_name: isNew ? "Write" : "Edit",
      tool_input: isNew
        ? { file_path: absolute(path, cwd), content: sideOf(lines, "+") }
        : {
            file_path: absolute(path, cwd),
            old_string: sideOf(lines, "-"),
            new_string: sideOf(lines, "+"),
          },
    })),
    ...others.map((path) => ({ tool_name: "Edit", tool_input: { file_path: absolute(path, cwd) } })),
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
export function forEvent(outcomes: readonly Outcome[], told: AnyEvent, event: AnyEvent): readonly Outcome[] {
  if (told === event || sameJson(told.tool_input, event.tool_input)) return outcomes;
  return outcomes.map((outcome) =>
    outcome.type === "rewrite" && REWRITTEN_INPUT.has(event.hook_event_name)
      ? deny("A hook wants another input, which it can only write for the tools of another agent.")
      : outcome,
  );
}
