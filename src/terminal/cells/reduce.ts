import type { AgentMessage } from "../../agent/messages/messages.ts";
import type { AgentItem } from "../../agent.ts";
import { personAnswerText } from "../../shared/person-answer.ts";
import type { CallNote, Cell, NoticeCell, ToolCell, ToolEnd } from "./cell.ts";
import { addOutput, cutOutputOf, endOutput, NO_OUTPUT, outputOf, outputText } from "./output.ts";
import { reduceHook } from "./reduce-hook.ts";
import { type CellState, settled, withCells, withText, withTool } from "./state.ts";

type ToolResultPart = Extract<AgentMessage, { role: "tool" }>["parts"][0];

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
      return settled(withTool(withoutNotice(state, item), item.tool_use_id, (cell) => endedTool(cell, item)));
    case "hook_begin":
    case "hook_output":
    case "hook_end":
      return reduceHook(state, item, now);
    case "hook_input":
      return withCells(state, { type: "hook_input", hook: item.hook, text: item.text });
    case "person_answer":
      return withTool(state, item.tool_use_id, (cell) => ({
        ...cell,
        notes: [...cell.notes, personNote(item)],
      }));
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

function personNote({ done, ...answer }: Item<"person_answer">): CallNote {
  return { tone: done === "refused" ? "refusal" : "info", text: personAnswerText(done, answer) };
}

function startTurn(state: CellState, { hook }: Item<"turn_start">): CellState {
  const turns = state.turns + 1;
  const next = withCells({ ...state, turns });
  return hook === undefined ? next : withCells(next, { type: "turn", turn: turns, hook });
}

function toolCell(
  { tool_use_id, tool_name, tool_input }: Omit<Item<"tool_call">, "type">,
  now: number,
): ToolCell {
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
  // What is shown while a program runs has a limit; the result has both ends.
  const whole = cutOutputOf(content) ?? endOutput(cell.output);
  const isShown = whole.count > 0 || state === "denied";
  // The id of a subagent is for the model.
  const text = cell.inside.length > 0 ? content.replace(/\s*\(agent_id: [^)]*\)\s*$/, "") : content;
  return { ...cell, output: isShown ? whole : outputOf(text), end: { state, content, duration_ms } };
}

/** A gate that fails says so twice: as a notice, and as the reason of the call's end. */
function withoutNotice(state: CellState, { content, outcome }: Item<"tool_result">): CellState {
  if (outcome !== "denied") return state;
  return {
    ...state,
    live: state.live.filter((cell) => cell.type !== "notice" || !content.includes(cell.text)),
  };
}

function reduceMessage(state: CellState, { message }: Item<"message">): CellState {
  if (message.role === "assistant" && message.ended === "limit") {
    const texts = message.parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
    return texts.reduce((next, text) => withCells(next, { type: "text", text }), state);
  }
  if (message.role === "tool") return repaired(state, message.parts[0]);
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

/** A call of an earlier process: its result was lost, and the model hears that its outcome is unknown. */
function repaired(state: CellState, { tool_use_id, content, outcome }: ToolResultPart): CellState {
  const { [tool_use_id]: call, ...lost } = state.lost;
  if (call === undefined || outcome !== "interrupted") return state;
  const about = { tool_use_id, tool_name: call.name, tool_input: call.input };
  return withCells(
    { ...state, lost },
    { ...toolCell(about, 0), end: { state: "unknown", content, duration_ms: 0 } },
  );
}

/** The process that the agent ran in is gone. What it was doing may be known to the one that goes on. */
export function cutOff(state: CellState): CellState {
  const open = state.live.flatMap((cell) =>
    cell.type === "tool" && cell.end === undefined
      ? [[cell.id, { name: cell.name, input: cell.input }] as const]
      : [],
  );
  return { ...endedRun(state), lost: Object.fromEntries(open) };
}

function reduceNotice(state: CellState, { text, level, hook }: Item<"notice">): CellState {
  const last = state.live.at(-1) ?? state.done.at(-1);
  // What a hook prints for the user is shown in its cell already.
  if (last?.type === "hook" && last.hook === hook && outputText(last.output) === text.trim()) return state;
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
export function endedRun(state: CellState): CellState {
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
