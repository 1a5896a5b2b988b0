import type { HookItem } from "../../agent/items.ts";
import { isRecord, sameJson } from "../../core/base/json.ts";
import type { HookRun } from "../../core/decide/decision.ts";
import { inWords } from "../../shared/call-text.ts";
import { harmless } from "../../shared/harmless.ts";
import { cut } from "../layout.ts";
import type { CallNote, Cell, HookCell, ToolCell } from "./cell.ts";
import { addOutput, endOutput, NO_OUTPUT, outputText } from "./output.ts";
import { type CellState, settled, withCells, withTool } from "./state.ts";

/** A hook that took longer is shown, also when it printed nothing. */
export const SLOW_MILLISECONDS = 400;

/** A run of a hook gets a cell when it prints something, or says something that is about no call. */
export function reduceHook(state: CellState, item: HookItem, now: number): CellState {
  const { run_id } = item;
  if (item.type === "hook_begin") {
    const cell = hookCell(item, now);
    return cell.command === undefined ? { ...state, hooks: [...state.hooks, cell] } : withCells(state, cell);
  }
  const hidden = state.hooks.find(({ id }) => id === run_id);
  if (item.type === "hook_output") {
    const shown =
      hidden === undefined
        ? state
        : withCells({ ...state, hooks: state.hooks.filter((one) => one !== hidden) }, hidden);
    return withHooks(shown, (cell) =>
      cell.id === run_id ? { ...cell, output: addOutput(cell.output, item.text, item.stream) } : cell,
    );
  }
  const { run, tool_use_id, hook_event_name } = item;
  const notes = notesOf(hook_event_name, run);
  const isAboutCall = tool_use_id !== undefined && notes.length > 0;
  const isNeeded = notes.length > 0 && !isAboutCall;
  const ended = settled(
    withHooks(state, (cell) => (cell.id === run_id ? endedHook(cell, run, isNeeded) : cell)),
  );
  const next = {
    ...ended,
    keepers: run.outcome?.keep_going === undefined ? state.keepers : [...state.keepers, run.name],
    hooks: state.hooks.filter(({ id }) => id !== run_id),
  };
  if (isAboutCall) return withTool(next, tool_use_id, (cell) => notedTool(cell, notes, item));
  // What it said is shown with its own cell, if it has one.
  if (hidden === undefined || notes.length === 0) return next;
  return withCells(next, { ...hidden, run });
}

/**
 * A hook that has ended. What it printed goes when it is shown as what it did: a reply in JSON, a reason, context for the
 * model. A cell that has nothing left to show goes too.
 */
function endedHook(cell: HookCell, run: HookRun, isNeeded: boolean): HookCell | undefined {
  const printed = endOutput(cell.output);
  const { reason, keep_going, context = [] } = run.outcome ?? {};
  const text = outputText(printed);
  const isShown =
    (run.outcome !== undefined && text.startsWith("{")) ||
    [reason, keep_going, ...context].some((said) => said?.trim() === text);
  const output = isShown ? NO_OUTPUT : printed;
  const isSilent = output.count === 0 && cell.command === undefined && run.duration_ms < SLOW_MILLISECONDS;
  return isSilent && run.failure === undefined && !isNeeded ? undefined : { ...cell, output, run };
}

function hookCell(item: Extract<HookItem, { type: "hook_begin" }>, now: number): HookCell {
  const { run_id, hook, hook_event_name, command } = item;
  const name = hook === `Hook(${hook_event_name})` ? "" : hook;
  return {
    type: "hook",
    id: run_id,
    event: hook_event_name,
    hook: name,
    output: NO_OUTPUT,
    started: now,
    ...(command === undefined ? {} : { command }),
  };
}

function withHooks(state: CellState, change: (cell: HookCell) => HookCell | undefined): CellState {
  return {
    ...state,
    live: state.live.flatMap((cell): readonly Cell[] | Cell =>
      cell.type === "hook" ? (change(cell) ?? []) : [cell],
    ),
  };
}

function notedTool(
  cell: ToolCell,
  notes: readonly CallNote[],
  { run }: Extract<HookItem, { type: "hook_end" }>,
): ToolCell {
  const { input_before, input_after, outcome, name } = run;
  if (outcome?.rewrite === true && isRecord(input_before) && isRecord(input_after) && cell.end === undefined)
    return {
      ...cell,
      input: input_after,
      rewritten: { by: name, before: cell.rewritten?.before ?? input_before },
      notes: withNotes(cell.notes, notes.slice(1)),
    };
  return { ...cell, notes: withNotes(cell.notes, notes) };
}

/** The events on which a deny stops a call. */
const GATES: readonly string[] = ["PreToolUse", "PermissionRequest", "MemoryUpdate"];

/** The effects of a hook worth showing; most runs have none. Failures are shown as notices. */
function notesOf(event: string, run: HookRun): readonly CallNote[] {
  const { name: given, outcome, recheck } = run;
  if (outcome === undefined) return [];
  const { action, reason = "", rewrite, answer, retry, abort } = outcome;
  const name = harmless(given);
  const again = recheck === true ? ", asked again about the rewritten call" : "";
  const notes: CallNote[] = [];
  if (rewrite === true)
    notes.push(change(`rewritten by ${name}: ${rewriteText(run.input_before, run.input_after)}`));
  if (answer !== undefined) notes.push(change(`answered by ${name}: ${shown(answer)}`));
  if (action === "ask") notes.push(change(`${name} wants a human to decide${again}`, reason));
  if (action === "allow" && event === "PermissionRequest") notes.push(change(`allowed by ${name}`, reason));
  if (action === "deny") {
    const refused = GATES.includes(event) ? `denied by ${name}${again}` : `refused by ${name} on ${event}`;
    notes.push(refusal(refused, reason));
  }
  if (retry === true) notes.push(change(`${name} wants another try`, reason));
  if (abort === true) notes.push(refusal(`${name} ends the run`, reason));
  return notes;
}

function change(text: string, reason = ""): CallNote {
  return noteOf("change", text, reason);
}

function refusal(text: string, reason: string): CallNote {
  return noteOf("refusal", text, reason);
}

function noteOf(tone: CallNote["tone"], text: string, reason: string): CallNote {
  return { tone, text, ...(reason === "" ? {} : { reason: harmless(reason) }) };
}

/** Notes with one reason are one: `denied by a, denied by b: not from here`. */
function withNotes(before: readonly CallNote[], more: readonly CallNote[]): readonly CallNote[] {
  const notes = [...before];
  for (const note of more) {
    const at = notes.findIndex(
      ({ tone, reason }) => tone === note.tone && reason !== undefined && reason === note.reason,
    );
    const same = notes[at];
    if (same === undefined) notes.push(note);
    else notes[at] = { ...same, text: `${same.text}, ${note.text}` };
  }
  return notes;
}

function shown(answer: unknown): string {
  return harmless(inWords(answer));
}

const MOST_CHARACTERS = 160;

/** Each changed field with its old and new value. */
function rewriteText(before: unknown, after: unknown): string {
  if (!isRecord(before) || !isRecord(after)) return `${value(before)} -> ${value(after)}`;
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return fields
    .filter((field) => !sameJson(before[field], after[field]))
    .map((field) => `${field} ${value(before[field])} -> ${value(after[field])}`)
    .join(", ");
}

function value(given: unknown): string {
  const text = given === undefined ? "(none)" : inWords(given);
  return cut(harmless(text), MOST_CHARACTERS);
}
