import type { HookItem } from "../../agent/items.ts";
import type { AgentItem } from "../../agent.ts";
import { isRecord } from "../../core/base/json.ts";
import type { CallNote, Cell, HookCell, NoticeCell, ToolCell, ToolEnd } from "./cell.ts";
import { notesOf } from "./hook-notes.ts";
import { addOutput, endOutput, NO_OUTPUT, outputOf } from "./output.ts";
import { type CellState, settled, withCells, withText } from "./state.ts";

type Item<Type extends AgentItem["type"]> = Extract<AgentItem, { type: Type }>;

/** What an agent does next, as cells. Pure: the same items give the same cells. */
export function reduceItem(state: CellState, item: AgentItem, now: number): CellState {
  switch (item.type) {
    case "turn_start":
      return startTurn(state, item);
    case "text_delta":
      return withText(state, item.text);
    case "tool_call":
      return withCells(state, toolCell(item, now));
    case "tool_progress":
      return withTool(state, item.tool_use_id, (cell) => ({
        ...cell,
        output: addOutput(cell.output, item.text, item.stream),
      }));
    case "tool_result":
      return settled(withTool(state, item.tool_use_id, (cell) => endedTool(cell, item)));
    case "hook_begin":
    case "hook_output":
    case "hook_end":
      return reduceHook(state, item, now);
    case "hook_input":
      return withCells(state, { type: "hook_input", hook: item.hook, text: item.text });
    case "message":
      return reduceMessage(state, item);
    case "notice":
      return reduceNotice(state, item);
    case "model":
      return {
        ...withCells(state, notice("warning", `Model: ${item.model} (${item.triggered_by})`)),
        model: item.model,
      };
    case "error":
      return withCells(state, errorNotice(item));
    case "subagent":
      return reduceSubagent(state, item, now);
    case "usage":
      return { ...state, usage: item.usage };
    case "done":
      return endedRun(state);
    case "reasoning_delta":
    case "tool_input_delta":
    case "approval_request":
    case "question":
    case "todos":
      return state;
    default:
      return item satisfies never;
  }
}

function startTurn(state: CellState, { hook }: Item<"turn_start">): CellState {
  const turns = state.turns + 1;
  const next = withCells({ ...state, turns });
  return hook === undefined ? next : withCells(next, { type: "turn", turn: turns, hook });
}

function toolCell({ tool_use_id, tool_name, tool_input }: Item<"tool_call">, now: number): ToolCell {
  return {
    type: "tool",
    id: tool_use_id,
    name: tool_name,
    input: tool_input,
    notes: [],
    output: NO_OUTPUT,
    started: now,
    inside: [],
  };
}

function endedTool(cell: ToolCell, item: Item<"tool_result">): ToolCell {
  const { content, is_error, outcome, duration_ms } = item;
  const state: ToolEnd["state"] = outcome ?? (is_error ? "failed" : "ok");
  const whole = endOutput(cell.output);
  const isShown = whole.count > 0 || state === "denied";
  return { ...cell, output: isShown ? whole : outputOf(content), end: { state, content, duration_ms } };
}

/** Changes a tool cell, also one within another. */
function withTool(state: CellState, id: string, change: (cell: ToolCell) => ToolCell): CellState {
  const changed = (cell: ToolCell): ToolCell => {
    if (cell.id === id) return change(cell);
    return cell.inside.some((one) => one.id === id)
      ? { ...cell, inside: cell.inside.map((one) => (one.id === id ? change(one) : one)) }
      : cell;
  };
  return { ...state, live: state.live.map((cell) => (cell.type === "tool" ? changed(cell) : cell)) };
}

function reduceHook(state: CellState, item: HookItem, now: number): CellState {
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
    return withHook(shown, run_id, (cell) => ({
      ...cell,
      output: addOutput(cell.output, item.text, item.stream),
    }));
  }
  const { run, tool_use_id, hook_event_name } = item;
  const keepers = run.outcome?.keep_going === undefined ? state.keepers : [...state.keepers, run.name];
  const next = {
    ...settled(withHook(state, run_id, (cell) => ({ ...cell, output: endOutput(cell.output), run }))),
    keepers,
    hooks: state.hooks.filter(({ id }) => id !== run_id),
  };
  const notes = notesOf(hook_event_name, run);
  if (tool_use_id !== undefined && notes.length > 0)
    return withTool(next, tool_use_id, (cell) => notedTool(cell, notes, item));
  // What it said is shown with its own cell, if it has one.
  if (hidden === undefined || notes.length === 0) return next;
  return withCells(next, { ...hidden, run });
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

function withHook(state: CellState, id: string, change: (cell: HookCell) => HookCell): CellState {
  return {
    ...state,
    live: state.live.map((cell) => (cell.type === "hook" && cell.id === id ? change(cell) : cell)),
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
      notes: [...cell.notes, ...notes.slice(1)],
    };
  return { ...cell, notes: [...cell.notes, ...notes] };
}

function reduceMessage(state: CellState, { message }: Item<"message">): CellState {
  if (message.role === "assistant" && message.ended === "limit") {
    const texts = message.parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
    return texts.reduce((next, text) => withCells(next, { type: "text", text }), state);
  }
  if (message.role !== "user" || message.source !== "hook") return state;
  let next = state;
  for (const part of message.parts)
    if (part.type === "context")
      next = withCells(next, { type: "context", hook: part.hook, text: part.text });
    else if (part.type === "text") {
      const who = [...new Set(next.keepers)].join(", ") || "A hook";
      next = withCells({ ...next, keepers: [] }, notice("warning", `${who} keeps it going: ${part.text}`));
    }
  return next;
}

function reduceNotice(state: CellState, { text, level, hook }: Item<"notice">): CellState {
  const isNamed = hook === undefined || hook.startsWith("tenterhook") || text.startsWith("Hook");
  return withCells(state, notice(level, isNamed ? text : `${hook}: ${text}`));
}

function errorNotice({ error_type, message, retry_in_ms }: Item<"error">): NoticeCell {
  const text = `${error_type}: ${message}`;
  if (retry_in_ms === undefined) return notice("error", text);
  // An immediate retry uses another model, which is shown next.
  const again = retry_in_ms === 0 ? "" : ` Trying again in ${(retry_in_ms / 1000).toFixed(1)} s.`;
  return notice("warning", `${text}${again}`);
}

/** The calls of a subagent are shown below the call that started it. */
function reduceSubagent(
  state: CellState,
  { agent_id, agent_type, item }: Item<"subagent">,
  now: number,
): CellState {
  const known = state.subagents[agent_id];
  const taken = new Set(Object.values(state.subagents));
  const task = state.live.find(
    (cell): cell is ToolCell => cell.type === "tool" && cell.end === undefined && !taken.has(cell.id),
  );
  const parent = known ?? task?.id;
  const named =
    parent === undefined ? state : { ...state, subagents: { ...state.subagents, [agent_id]: parent } };
  const isThere = named.live.some((cell) => cell.type === "tool" && cell.id === parent);
  if (item.type === "tool_call") {
    const cell = toolCell(item, now);
    return parent === undefined || !isThere
      ? withCells(named, { ...cell, name: `${agent_type} › ${cell.name}` })
      : withTool(named, parent, (one) => ({ ...one, inside: [...one.inside, cell] }));
  }
  if (item.type === "tool_progress" || item.type === "tool_result") return reduceItem(named, item, now);
  return named;
}

/** Nothing runs any more: what never ended was interrupted. */
function endedRun(state: CellState): CellState {
  const ended = (cell: Cell): Cell => {
    if (cell.type === "tool" && cell.end === undefined)
      return { ...cell, end: { state: "interrupted", content: "", duration_ms: 0 } };
    return cell;
  };
  return withCells({ ...state, hooks: [], live: state.live.filter(isNoOpenHook).map(ended) });
}

function isNoOpenHook(cell: Cell): boolean {
  return cell.type !== "hook" || cell.run !== undefined;
}

export function notice(level: NoticeCell["level"], text: string): NoticeCell {
  return { type: "notice", level, text };
}
