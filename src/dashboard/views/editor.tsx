import { useState } from "preact/hooks";
import type { HookSource } from "../../monitor/dashboard/wire.ts";
import type { ReplayView } from "../../shared/replay.ts";
import { ask, query } from "../net/ask.ts";
import { useAsked } from "../net/use-asked.ts";
import { count, moment, plural } from "../parts/format.ts";
import { callText } from "../parts/replayed-call.tsx";
import { Failed, Loading } from "../parts/states.tsx";

interface Props {
  readonly project: string;
  /** Absent for a new rule. */
  readonly name: string | undefined;
  readonly onSaved: (name: string) => void;
  readonly onClose: () => void;
}

/** A hook's text. What it would change is shown before it can be saved. */
export function Editor({ project, name, onSaved, onClose }: Props) {
  const [saves, setSaves] = useState(0);
  const { reply, problem, again } = useAsked<HookSource>(`hooks/source${query({ project, name })}`, saves);
  if (problem !== undefined || reply === undefined)
    return (
      <section class="card">
        {problem === undefined ? <Loading what="the rule" /> : <Failed problem={problem} again={again} />}
      </section>
    );
  return (
    <Form
      key={reply.digest}
      source={reply}
      name={name}
      saved={saves > 0}
      onClose={onClose}
      onSaved={(now) => {
        setSaves(saves + 1);
        onSaved(now);
      }}
    />
  );
}

/** What came of a trial of a text. */
type Trial =
  | { readonly kind: "running" }
  | { readonly kind: "wrong"; readonly text: string; readonly why: string }
  | { readonly kind: "tried"; readonly text: string; readonly found: ReplayView; readonly seconds: number };

interface FormProps extends Omit<Props, "project"> {
  readonly source: HookSource;
  /** True when this text was saved here. */
  readonly saved: boolean;
}

function Form({ source, name, saved, onSaved, onClose }: FormProps) {
  const { project, digest, file, line, locked } = source;
  const [text, setText] = useState(source.text);
  const [trial, setTrial] = useState<Trial | undefined>();
  const edit = { project, digest, text, name };
  const isTried = trial?.kind === "tried" && trial.text === text;
  const isChanged = text !== source.text || name === undefined;
  const fail = (error: unknown): void =>
    setTrial({ kind: "wrong", text, why: error instanceof Error ? error.message : String(error) });
  const tryIt = async (): Promise<void> => {
    setTrial({ kind: "running" });
    const began = performance.now();
    await ask<ReplayView>("hooks/try", edit).then(
      (found) => setTrial({ kind: "tried", text, found, seconds: (performance.now() - began) / 1000 }),
      fail,
    );
  };
  const save = async (changed = text): Promise<void> => {
    try {
      const now = await ask<HookSource>("hooks/save", { ...edit, text: changed });
      onSaved(now.name);
    } catch (error) {
      fail(error);
    }
  };
  return (
    <section class="card editor" aria-label="Rule">
      <div>
        <div class="bar">
          <h2>{name ?? "New rule"}</h2>
          <span class="faint mono">
            {shortFile(file)}:{line}
          </span>
        </div>
        <textarea
          class="source"
          aria-label="Rule text"
          spellcheck={false}
          rows={Math.max(8, text.split("\n").length + 1)}
          value={text}
          readOnly={locked !== undefined}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        {locked !== undefined && <p class="muted">{locked}</p>}
        <div class="options">
          {locked === undefined && (
            <>
              <button
                type="button"
                class={`btn${isTried ? "" : " strong"}`}
                disabled={!isChanged || trial?.kind === "running"}
                onClick={() => void tryIt()}
              >
                Try it
              </button>
              <button
                type="button"
                class={`btn${isTried ? " strong" : ""}`}
                disabled={!isTried || !isChanged}
                onClick={() => void save()}
              >
                Save
              </button>
              {/^name:/m.test(text) && !SHADOW.test(text) && (
                <button
                  type="button"
                  class="btn"
                  title="Saves it so that it decides nothing yet: it only records what it would do."
                  disabled={!isTried || !isChanged}
                  onClick={() => void save(inShadow(text))}
                >
                  Shadow first
                </button>
              )}
            </>
          )}
          <button type="button" class="btn plain" onClick={onClose}>
            {isChanged && locked === undefined ? "Discard" : "Close"}
          </button>
          {saved && !isChanged && (
            <span class="receipt taken">
              {SHADOW.test(text)
                ? "Saved in shadow mode. It records what it would do."
                : "Saved. It decides the next call."}
            </span>
          )}
        </div>
      </div>
      <div aria-live="polite">
        <Result trial={trial} text={text} isNew={name === undefined} />
      </div>
    </section>
  );
}

const SHADOW = /^mode:\s*shadow\s*$/m;

/** The text of a hook that only shows what it would do. */
function inShadow(text: string): string {
  return /^mode:.*$/m.test(text)
    ? text.replace(/^mode:.*$/m, "mode: shadow")
    : text.replace(/^name:.*$/m, (name) => `${name}\nmode: shadow`);
}

function shortFile(file: string): string {
  return file.split("/").slice(-2).join("/");
}

interface ResultProps {
  readonly trial: Trial | undefined;
  readonly text: string;
  readonly isNew: boolean;
}

function Result({ trial, text, isNew }: ResultProps) {
  if (trial === undefined)
    return (
      <p class="muted">
        {isNew ? "Write the rule" : "Change the rule"}, then try it against the calls of the last 30 days.
        What it would change is shown here before it can be saved.
      </p>
    );
  if (trial.kind === "running") return <Loading what="recorded calls" />;
  if (trial.kind === "wrong")
    return (
      <div role="alert">
        <h2 class="stop">This rule can’t be saved</h2>
        <code class="call problem">{trial.why}</code>
      </div>
    );
  const { found, seconds } = trial;
  const { against, events, changed } = found;
  const more = against?.newly_stopped ?? 0;
  const less = against?.newly_let_through ?? 0;
  const other = against?.other_reason ?? 0;
  return (
    <>
      <div class="bar">
        <h2>Tried on {plural(events, "recorded call")}</h2>
        <span class="faint">{seconds.toFixed(1)} s</span>
      </div>
      {trial.text !== text && <p class="wait">The text has changed since. Try it again.</p>}
      <dl class="tried">
        <dt>
          <span class="tag">same</span>
        </dt>
        <dd>{count(events - more - less - other)}</dd>
        <dt>
          <span class="tag ok">let through</span>
        </dt>
        <dd>{less === 0 ? "none more" : `${count(less)} that were stopped`}</dd>
        <dt>
          <span class="tag deny">stopped</span>
        </dt>
        <dd>{more === 0 ? "none more" : `${count(more)} that went through`}</dd>
      </dl>
      <ul class="plain">
        {changed
          .slice(-8)
          .reverse()
          .map((call, at) => (
            <li key={at}>
              <code>{callText(call)}</code>{" "}
              <span class="faint">
                {call.against?.action ?? "continue"} → {call.now.action}, {call.agent}
                {call.at === undefined ? "" : `, ${moment(call.at)}`}
              </span>
            </li>
          ))}
      </ul>
      {changed.length > 8 && <p class="muted">and {count(changed.length - 8 + found.left_out)} more</p>}
    </>
  );
}
