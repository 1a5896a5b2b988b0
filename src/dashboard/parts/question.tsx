import { useRef, useState } from "preact/hooks";
import type { AnswerReply, QuestionView } from "../../monitor/dashboard/wire.ts";
import { ask } from "../net/ask.ts";
import { useMay } from "../net/live.ts";
import { href } from "../net/route.ts";
import { Asked, type Edited, editedInput, toEdit } from "./asked.tsx";
import { useNow } from "./clock.ts";
import { age } from "./format.ts";
import { Choices, MOST_KEYS, Offered, Parts } from "./question-parts.tsx";

const WORDS: Readonly<Record<QuestionView["source"], string>> = {
  question: "question",
  plan: "plan",
  permission: "permission",
  check: "check failed",
  error: "error",
  dead: "ended",
  idle: "idle",
  session: "terminal",
};

/** More than this is folded; less, where there is little room. */
const [LONG_CHARACTERS, SHORT_CHARACTERS] = [700, 240];

interface Props {
  readonly question: QuestionView;
  /** True for the one that keys answer. */
  readonly chosen?: boolean;
  /** True where much else is shown. */
  readonly compact?: boolean;
  readonly onReceipt: (question: QuestionView, receipt: AnswerReply["receipt"]) => void;
}

/** A question of an agent, answered in place. */
export function Question({ question, chosen = false, compact = false, onReceipt }: Props) {
  const { id, agent, session_id, source, options, parts, created_at, waits_until, elsewhere } = question;
  const { task, parked_on } = question;
  const now = useNow();
  const mayAnswer = useMay("answer");
  const [sending, setSending] = useState(false);
  const [problem, setProblem] = useState("");
  const [text, setText] = useState("");
  const [means, setMeans] = useState(question.text_means);
  const [picked, setPicked] = useState<readonly (readonly string[])[]>(parts.map(() => []));
  const [edited, setEdited] = useState<Edited | undefined>();
  const box = useRef<HTMLTextAreaElement>(null);
  const [only] = parts;
  const isSimple = parts.length <= 1 && only?.several !== true;
  const shown = isSimple && only !== undefined ? only.options : options;

  const send = async (choices: readonly string[], message?: string): Promise<void> => {
    setSending(true);
    setProblem("");
    try {
      const [choice] = choices;
      const body = {
        choices,
        ...(message === undefined || message === "" ? {} : { message }),
        ...(question.call_digest === undefined ? {} : { call: question.call_digest }),
        ...(edited === undefined || choice !== "allow" ? {} : { input: editedInput(edited) }),
      };
      const { receipt } = await ask<AnswerReply>(`decisions/${encodeURIComponent(id)}/answer`, body);
      onReceipt(question, receipt);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
    setSending(false);
  };
  const choose = (label: string): void => {
    if (label === question.needs_text && text.trim() === "") {
      setMeans(label);
      setProblem("Write what to change, then send it.");
      box.current?.focus();
      return;
    }
    void send([label], isSimple && only !== undefined ? undefined : text.trim());
  };
  const sendText = (): void => {
    const written = text.trim();
    if (!isSimple) {
      const answers = parts.map((_, at) => (picked[at] ?? []).join(", ") || written);
      if (answers.some((one) => one === "")) setProblem("Answer every question first.");
      else void send(answers);
      return;
    }
    if (written === "") {
      setProblem("Write an answer first.");
      box.current?.focus();
      return;
    }
    void send(means === undefined ? [written] : [means], means === undefined ? undefined : written);
  };
  const isExplained =
    isSimple && !compact && only !== undefined && shown.some(({ description }) => description !== undefined);
  const recommended = shown.some(({ recommended: yes }) => yes === true);
  return (
    <article
      class={`ask${chosen ? " chosen" : ""}`}
      aria-label={agent}
      aria-current={chosen ? "true" : undefined}
      tabIndex={-1}
      id={`question-${id}`}
    >
      <header>
        {session_id === undefined ? (
          <b>{agent}</b>
        ) : (
          <a href={href(`/sessions/${encodeURIComponent(session_id)}`)}>
            <b>{agent}</b>
          </a>
        )}
        <span class="tag ask">{WORDS[source]}</span>
        <span class="age">
          {elsewhere !== undefined && <span class="receipt">at its terminal · </span>}
          <span class="wait">{age(created_at, now)}</span>
          {waits_until !== undefined && elsewhere === undefined && (
            <span class="receipt"> · {age(now, Date.parse(waits_until))} left</span>
          )}
        </span>
      </header>
      {task !== undefined && <p class="task muted">{task}</p>}
      <Asked
        question={question}
        most={compact ? SHORT_CHARACTERS : LONG_CHARACTERS}
        edited={edited}
        onEdit={setEdited}
      />
      {!mayAnswer && <Offered parts={only === undefined ? [{ question: "", options }] : parts} />}
      {elsewhere !== undefined || !mayAnswer ? (
        <div class="options">
          <span class="receipt">{elsewhere ?? "Your token can look, not answer."}</span>
          {mayAnswer && (
            <button type="button" class="btn plain" disabled={sending} onClick={() => void send(["dismiss"])}>
              Take off the list
            </button>
          )}
        </div>
      ) : (
        <>
          {!isSimple && <Parts parts={parts} picked={picked} onPick={setPicked} />}
          {isExplained && <Choices options={shown} disabled={sending} onChoose={choose} />}
          <div class="options">
            {isSimple &&
              !isExplained &&
              shown.map(({ label, description, recommended: yes }, at) => (
                <button
                  type="button"
                  key={label}
                  class={`btn${yes === true || (!recommended && at === 0 && source !== "permission") ? " strong" : ""}`}
                  title={description}
                  disabled={sending}
                  data-option={at < MOST_KEYS ? at + 1 : undefined}
                  onClick={() => choose(label)}
                >
                  <span class="label">{label}</span>
                </button>
              ))}
            {question.tool_input !== undefined && (
              <button
                type="button"
                class="btn plain"
                aria-pressed={edited !== undefined}
                title="Allow it with another input. Your rules judge that input again."
                onClick={() =>
                  setEdited(edited === undefined ? toEdit(question.tool_input ?? {}) : undefined)
                }
              >
                {edited === undefined ? "Edit the call" : "As it was"}
              </button>
            )}
            {question.takes_text && (
              <form
                class="words"
                onSubmit={(event) => {
                  event.preventDefault();
                  sendText();
                }}
              >
                <textarea
                  ref={box}
                  class="field"
                  aria-label="Answer"
                  rows={text.includes("\n") ? 4 : 1}
                  placeholder={placeholderOf(question, means)}
                  value={text}
                  onInput={({ currentTarget }) => setText(currentTarget.value)}
                  onKeyDown={(event) => {
                    if (event.key === "Escape") event.currentTarget.blur();
                    if (event.key !== "Enter" || event.shiftKey) return;
                    event.preventDefault();
                    sendText();
                  }}
                />
                <button type="submit" class={`btn${isSimple ? "" : " strong"}`} disabled={sending}>
                  Send
                </button>
              </form>
            )}
          </div>
        </>
      )}
      {parked_on !== undefined && (
        <p class="parked receipt">
          Parked on {parked_on}: no process waits. A worker goes on with the answer.
        </p>
      )}
      {problem !== "" && (
        <p class="stop problem" role="alert">
          {problem}
        </p>
      )}
    </article>
  );
}

function placeholderOf({ source, needs_text }: QuestionView, means: string | undefined): string {
  if (means !== undefined && means === needs_text) return "Send the plan back: what should change?";
  if (means === "deny") return "Refuse, and say why";
  return source === "question" ? "Answer in words" : "Say something to the agent";
}
