import type { scriptedModel } from "tenterhook/agent";

/** A step of the task: which tool is called, and with what. */
export interface PlannedStep {
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

type ScriptStep = Extract<Parameters<typeof scriptedModel>[0][number], { readonly text?: string }>;
type Prompt = readonly { readonly role: string; readonly content: unknown }[];

const STEPS = 30;
export const LAST_WORDS = "Every step is done.";

/** The steps of the agent: files are written, read and edited, a tool runs that must not run twice, subagents work. */
export function planOf(who: string): readonly PlannedStep[] {
  const count = who === "" ? STEPS : 4;
  return Array.from({ length: count }, (_, at) =>
    KINDS[at % (who === "" ? KINDS.length : 4)]?.(`${who}${at}`, at, who),
  ).flatMap((step) => step ?? []);
}

type Kind = (id: string, at: number, who: string) => PlannedStep;

const fileOf = (who: string, at: number): string => `file-${who}${at - (at % 6)}.txt`;

const KINDS: readonly Kind[] = [
  (id, at, who) => ({ id, name: "Write", input: { file_path: fileOf(who, at), content: "version 1\n" } }),
  (id, at, who) => ({ id, name: "Read", input: { file_path: fileOf(who, at) } }),
  (id, at, who) => ({
    id,
    name: "Edit",
    input: { file_path: fileOf(who, at), old_string: "version 1", new_string: "version 2" },
  }),
  (id) => ({ id, name: "Once", input: { step: id } }),
  (id) => ({ id, name: "Look", input: { step: id } }),
  (id) => ({
    id,
    name: "Task",
    input: { agent_type: "general-purpose", task: `CHILD ${id}-`, description: "child" },
  }),
];

interface Part {
  readonly type: string;
  readonly toolCallId?: string;
  readonly toolName?: string;
  readonly input?: unknown;
  readonly text?: string;
  readonly output?: { readonly type: string; readonly value: string };
}

function isPart(value: unknown): value is Part {
  return typeof value === "object" && value !== null && "type" in value;
}

/**
 * A model that looks at the conversation alone: it takes the first step that is not done. When the outcome of a call is
 * unknown it checks what is there, and only then repeats it.
 */
export function nextStep({ prompt }: { readonly prompt: Prompt }): ScriptStep {
  const parts = prompt.flatMap(({ content }) => (Array.isArray(content) ? content.filter(isPart) : []));
  const who = /^CHILD (\S+)/.exec(parts.find(({ type }) => type === "text")?.text ?? "")?.[1] ?? "";
  const plan = planOf(who);
  const done = new Set<string>();
  const calls = new Map<string, { readonly name: string; readonly input: unknown }>();
  let doubtful: PlannedStep | undefined;
  for (const { type, toolCallId = "", toolName = "", input, output } of parts) {
    if (type === "tool-call") calls.set(toolCallId, { name: toolName, input });
    if (type !== "tool-result" || output === undefined) continue;
    const call = calls.get(toolCallId);
    const step = plan.find(({ id, name, input: planned }) =>
      call?.name === "Check"
        ? JSON.stringify(call.input) === JSON.stringify({ step: id })
        : name === call?.name && JSON.stringify(planned) === JSON.stringify(call.input),
    );
    if (step === undefined) throw new Error(`A result of no step: ${JSON.stringify(call)}`);
    if (call?.name === "Check") {
      doubtful = undefined;
      if (output.value === "done") done.add(step.id);
    } else if (output.type === "text") done.add(step.id);
    else if (output.value.includes("unknown")) doubtful = step;
    else throw new Error(`${step.name} ${step.id} failed: ${output.value}`);
  }
  if (doubtful !== undefined) return { tool_calls: [{ name: "Check", input: { step: doubtful.id } }] };
  const next = plan.find(({ id }) => !done.has(id));
  return next === undefined ? { text: LAST_WORDS } : { tool_calls: [{ name: next.name, input: next.input }] };
}
