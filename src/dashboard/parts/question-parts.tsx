import type { QuestionView } from "../../monitor/dashboard/wire.ts";

/** Options from the tenth on have no key. */
export const MOST_KEYS = 9;

interface ChoicesProps {
  readonly options: QuestionView["options"];
  readonly disabled: boolean;
  readonly onChoose: (label: string) => void;
}

/** Options that say more than their names, one below the other. */
export function Choices({ options, disabled, onChoose }: ChoicesProps) {
  return (
    <div class="choices">
      {options.map(({ label, description, recommended }, at) => (
        <div class="choice" key={label}>
          <button
            type="button"
            class="open"
            title={description}
            disabled={disabled}
            data-option={at < MOST_KEYS ? at + 1 : undefined}
            onClick={() => onChoose(label)}
          >
            <span class="label">{label}</span>
          </button>
          <span class="muted">{description}</span>
          {recommended === true && <span class="tag ok">recommended</span>}
        </div>
      ))}
    </div>
  );
}

interface OfferedProps {
  readonly parts: readonly Pick<QuestionView["parts"][number], "question" | "options">[];
}

/** What the questions offer, for those who can't answer. */
export function Offered({ parts }: OfferedProps) {
  return (
    <>
      {parts.map(({ question, options }) => (
        <div key={question}>
          {parts.length > 1 && <p class="text">{question}</p>}
          {options.length > 0 && (
            <ul class="choices offered">
              {options.map(({ label, description, recommended }) => (
                <li class="choice" key={label}>
                  <span class="label">{label}</span>
                  <span class="muted">{description}</span>
                  {recommended === true && <span class="tag ok">recommended</span>}
                </li>
              ))}
            </ul>
          )}
        </div>
      ))}
    </>
  );
}

interface PartsProps {
  readonly parts: QuestionView["parts"];
  readonly picked: readonly (readonly string[])[];
  readonly onPick: (picked: readonly (readonly string[])[]) => void;
}

/** Several questions, or one with several answers: all are sent together. */
export function Parts({ parts, picked, onPick }: PartsProps) {
  const toggle = (part: number, label: string, several: boolean): void =>
    onPick(
      parts.map((_, at) => {
        const before = picked[at] ?? [];
        if (at !== part) return before;
        if (!several) return [label];
        return before.includes(label) ? before.filter((one) => one !== label) : [...before, label];
      }),
    );
  return (
    <>
      {parts.map(({ question, options, several }, part) => (
        <fieldset class="part" key={question}>
          <legend>
            {question}
            {several && <span class="faint"> choose any</span>}
          </legend>
          <div class="options">
            {options.map(({ label, description }) => {
              const isPicked = picked[part]?.includes(label) === true;
              return (
                <button
                  type="button"
                  key={label}
                  class={`btn${isPicked ? " picked" : ""}`}
                  aria-pressed={isPicked}
                  title={description}
                  onClick={() => toggle(part, label, several)}
                >
                  {label}
                </button>
              );
            })}
          </div>
        </fieldset>
      ))}
    </>
  );
}
