import { useEffect, useRef, useState } from "preact/hooks";
import type { AnswerReply, QuestionView } from "../../monitor/dashboard/wire.ts";
import { ask } from "../net/ask.ts";
import { href } from "../net/route.ts";
import { useKeys } from "./keys.ts";
import { Question } from "./question.tsx";

interface Given {
  readonly question: QuestionView;
  readonly receipt: AnswerReply["receipt"];
}

interface Props {
  readonly open: readonly QuestionView[];
  readonly label: string;
  /** How many are shown, in little room. Default: all. */
  readonly most?: number;
}

/** How long a receipt stays. */
const SHOWN_MILLISECONDS = 12_000;

/** Questions that can be answered in place, from the keyboard too. */
export function Questions({ open, label, most }: Props) {
  const [given, setGiven] = useState<readonly Given[]>([]);
  const [chosen, setChosen] = useState<string | undefined>();
  const left = open.filter(({ id }) => !given.some((one) => one.question.id === id));
  const shown = left.slice(0, most);
  const at = shown.findIndex(({ id }) => id === chosen);
  const articleOf = (id: string | undefined) => document.getElementById(`question-${id ?? ""}`);
  const move = (step: number): void => {
    const next = shown[Math.max(0, Math.min(shown.length - 1, at + step))];
    if (next === undefined) return;
    setChosen(next.id);
    const article = articleOf(next.id);
    article?.focus({ preventScroll: true });
    article?.scrollIntoView({ block: "nearest" });
  };
  const current = shown[at] ?? (shown.length === 1 ? shown[0] : undefined);
  const press = (number: number) => () =>
    articleOf(current?.id)?.querySelector<HTMLButtonElement>(`[data-option="${number}"]`)?.click();
  useKeys({
    j: () => move(1),
    k: () => move(at === -1 ? 1 : -1),
    r: () => articleOf(current?.id)?.querySelector<HTMLElement>("textarea")?.focus(),
    ...Object.fromEntries([1, 2, 3, 4, 5, 6, 7, 8, 9].map((number) => [String(number), press(number)])),
  });
  const openIds = open.map(({ id }) => id).join();
  const seen = useRef(shown);
  useEffect(() => {
    const isKnown = ({ id }: QuestionView): boolean =>
      open.some((one) => one.id === id) || given.some((one) => one.question.id === id);
    const lost = seen.current.filter((one) => !isKnown(one));
    seen.current = shown;
    if (lost.length > 0) void sayWhatBecameOf(lost, onFate);
  }, [openIds]);
  const onReceipt = (question: QuestionView, receipt: AnswerReply["receipt"], isOwn = true): void => {
    const isOther = (one: Given): boolean => one.question.id !== question.id;
    setGiven((before) =>
      isOwn || before.every(isOther) ? [{ question, receipt }, ...before.filter(isOther)] : before,
    );
    setTimeout(
      () => setGiven((before) => before.filter((one) => one.question.id !== question.id)),
      SHOWN_MILLISECONDS,
    );
  };
  /** Who has answered here has a receipt already, or gets one. */
  const onFate = (question: QuestionView, receipt: AnswerReply["receipt"]): void =>
    onReceipt(question, receipt, false);
  if (shown.length + given.length === 0) return null;
  return (
    <section class="card" aria-label={label}>
      <div aria-live="polite">
        {given.map(({ question, receipt }) => (
          <div class="given" key={question.id}>
            <b>{question.agent}</b>
            <span class={`receipt ${receipt.kind}`}>{receipt.text}</span>
          </div>
        ))}
      </div>
      {shown.map((question) => (
        <Question
          key={question.id}
          question={question}
          chosen={question.id === chosen}
          compact={most !== undefined}
          onReceipt={onReceipt}
        />
      ))}
      {left.length > shown.length && (
        <p class="beyond">
          <a class="muted" href={href("/inbox")}>
            {left.length - shown.length} more in the inbox
          </a>
        </p>
      )}
    </section>
  );
}

/** A question that was answered elsewhere must not go without a word. */
async function sayWhatBecameOf(
  lost: readonly QuestionView[],
  onReceipt: (question: QuestionView, receipt: AnswerReply["receipt"]) => void,
): Promise<void> {
  const reply = await ask<{ answered: readonly QuestionView[] }>("answered").catch(() => undefined);
  for (const { id, outcome = "" } of reply?.answered ?? []) {
    const question = lost.find((one) => one.id === id);
    const text = `${outcome.slice(0, 1).toUpperCase()}${outcome.slice(1)}`;
    if (question !== undefined && text !== "") onReceipt(question, { kind: "late", text });
  }
}
