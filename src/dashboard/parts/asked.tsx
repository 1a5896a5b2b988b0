import { useState } from "preact/hooks";
import type { QuestionView } from "../../monitor/dashboard/wire.ts";
import { scrolled } from "./states.tsx";

/** The input of a call as text, and how it is read. */
export interface Edited {
  readonly text: string;
  /** The field that the text is; without one, it is the whole input as JSON. */
  readonly field?: string;
  readonly of: Readonly<Record<string, unknown>>;
}

/** The input of a call for a person to change: its command, or all of it. */
export function toEdit(input: Readonly<Record<string, unknown>>): Edited {
  const { command } = input;
  return typeof command === "string"
    ? { text: command, field: "command", of: input }
    : { text: JSON.stringify(input, null, 2), of: input };
}

/** @throws Error when the text is no JSON object. */
export function editedInput({ text, field, of }: Edited): Readonly<Record<string, unknown>> {
  if (field !== undefined) return { ...of, [field]: text };
  const input: unknown = JSON.parse(text);
  if (typeof input !== "object" || input === null || Array.isArray(input))
    throw new Error("The input must be a JSON object.");
  return { ...input };
}

interface AskedProps {
  readonly question: QuestionView;
  readonly most: number;
  /** The input while it is changed. */
  readonly edited: Edited | undefined;
  readonly onEdit: (edited: Edited) => void;
}

/** What is asked: the text, the call or the plan. */
export function Asked({ question, most, edited, onEdit }: AskedProps) {
  const { context, source, parts } = question;
  const [open, setOpen] = useState(false);
  const [only] = parts;
  const isLong = context.length > most;
  const isBlock = source === "permission" || source === "plan" || source === "check";
  const text = isLong && !open ? `${context.slice(0, most).trimEnd()} …` : context;
  if (edited !== undefined) return <EditedInput edited={edited} onEdit={onEdit} />;
  return (
    <>
      {text !== "" &&
        (isBlock ? (
          <code class="call" {...(isLong && open ? scrolled("What is asked") : {})}>
            {text}
          </code>
        ) : (
          <p class="text">{text}</p>
        ))}
      {isLong && (
        <button type="button" class="btn plain more" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? "Show less" : "Show all of it"}
        </button>
      )}
      {parts.length === 1 && only !== undefined && <p class="text">{only.question}</p>}
    </>
  );
}

function EditedInput({
  edited,
  onEdit,
}: {
  readonly edited: Edited;
  readonly onEdit: (edited: Edited) => void;
}) {
  return (
    <textarea
      class="source edited"
      aria-label="Input of the call"
      spellcheck={false}
      rows={Math.min(16, edited.text.split("\n").length + 1)}
      value={edited.text}
      onInput={({ currentTarget }) => onEdit({ ...edited, text: currentTarget.value })}
    />
  );
}
