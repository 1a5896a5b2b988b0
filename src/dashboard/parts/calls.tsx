import { useEffect, useState } from "preact/hooks";
import type { CallRow } from "../../journal/activity/calls.ts";
import type { CallPage, TurnView } from "../../monitor/dashboard/wire.ts";
import { tagOf } from "../../shared/tags.ts";
import { ask, query } from "../net/ask.ts";
import { href } from "../net/route.ts";
import { CallBody } from "./call-detail.tsx";
import { type CallGroup, groupsOf } from "./call-groups.ts";
import { clock, dollars, folder, milliseconds, moment, tokens } from "./format.ts";
import { Empty, Failed, Loading } from "./states.tsx";
import { Virtual } from "./virtual.tsx";

const WORDS: Readonly<Record<CallRow["verdict"], string>> = {
  continue: "",
  changed: "changed",
  ask: "asked",
  deny: "denied",
  failed: "hook failed",
};

const TAGS: Readonly<Record<CallRow["verdict"], string>> = {
  continue: "",
  changed: "rewrite",
  ask: "ask",
  deny: "deny",
  failed: "deny",
};

interface Props {
  /** Which calls, as words of an address. */
  readonly which: Readonly<Record<string, string | number | undefined>>;
  /** True where the session is known from the rest of the page. */
  readonly ofSession?: boolean;
  /** The turns that the calls belong to, the newest first. */
  readonly turns?: readonly TurnView[];
  /** Changes when there may be new ones. */
  readonly changes?: unknown;
}

interface State {
  readonly rows: readonly CallRow[];
  readonly next?: string | undefined;
  readonly problem?: string;
  readonly isRead: boolean;
}

/** Calls, the newest first; more are read as the end comes near. */
export function Calls({ which, ofSession = false, turns = [], changes }: Props) {
  const words = query(which);
  const [state, set] = useState<State>({ rows: [], isRead: false });
  const [open, setOpen] = useState<number | undefined>();
  const [reading, setReading] = useState(false);
  useEffect(() => {
    set({ rows: [], isRead: false });
  }, [words]);
  useEffect(() => {
    const ending = new AbortController();
    ask<CallPage>(`calls${words}`, undefined, ending.signal).then(
      ({ calls, next }) =>
        set((before) => {
          // What was read further down stays.
          const last = calls.at(-1);
          const older = last === undefined ? [] : before.rows.filter((row) => isOlder(row, last));
          const isWhole = older.length === 0;
          return { rows: [...calls, ...older], next: isWhole ? next : before.next, isRead: true };
        }),
      (error: Error) => {
        if (!ending.signal.aborted) set((before) => ({ ...before, problem: error.message, isRead: true }));
      },
    );
    return () => ending.abort();
  }, [words, changes]);
  const more = (): void => {
    if (state.next === undefined || reading) return;
    setReading(true);
    const before = state.next;
    ask<CallPage>(`calls${query({ ...which, before })}`)
      .then(({ calls, next }) => set((now) => ({ ...now, rows: [...now.rows, ...calls], next })))
      .catch((error: Error) => set((now) => ({ ...now, problem: error.message })))
      .finally(() => setReading(false));
  };
  if (!state.isRead) return <Loading what="calls" />;
  if (state.problem !== undefined) return <Failed problem={state.problem} />;
  if (state.rows.length === 0 && turns.length === 0)
    return (
      <Empty title="No calls">
        {ofSession
          ? "Calls of its tools appear here when hooks see them."
          : "Nothing of this kind was recorded."}
      </Empty>
    );
  return (
    <Virtual
      label="Calls"
      items={withTurns(groupsOf(state.rows), turns, state.next !== undefined)}
      keyOf={(item) => ("turn" in item ? `turn ${item.turn.number}` : item.key)}
      guess={38}
      onEnd={more}
      row={(item) =>
        "turn" in item ? (
          <Turn turn={item.turn} />
        ) : (
          <Step
            group={item}
            ofSession={ofSession}
            isOpen={open === item.key}
            onToggle={() => setOpen(open === item.key ? undefined : item.key)}
          />
        )
      }
    />
  );
}

type Item = CallGroup | { readonly turn: TurnView };

/** Every turn above its calls. Turns from before the oldest call that was read wait for the next page. */
function withTurns(
  groups: readonly CallGroup[],
  turns: readonly TurnView[],
  isCut: boolean,
): readonly Item[] {
  const items: Item[] = [];
  let told = 0;
  const tell = (until: number): void => {
    for (const turn of turns.slice(told, until)) items.push({ turn });
    told = Math.max(told, until);
  };
  for (const group of groups) {
    tell(turns.findIndex(({ started }) => group.main.time >= Date.parse(started)) + 1);
    items.push(group);
  }
  if (!isCut) tell(turns.length);
  return items;
}

function Turn({ turn: { number, prompt, started, tokens: used, cost_usd } }: { readonly turn: TurnView }) {
  const facts = [
    clock(started),
    used === undefined ? "" : `${tokens(used)} tokens`,
    cost_usd === undefined ? "" : dollars(cost_usd),
  ];
  return (
    <div class="turn">
      <b>Turn {number}</b>
      <span class="muted clip" title={prompt}>
        {prompt === undefined ? "" : `“${prompt}”`}
      </span>
      <span class="faint facts">{facts.filter((part) => part !== "").join(" · ")}</span>
    </div>
  );
}

function isOlder(row: CallRow, last: CallRow): boolean {
  return row.time < last.time || (row.time === last.time && row.seq < last.seq);
}

interface StepProps {
  readonly group: CallGroup;
  readonly ofSession: boolean;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

function Step({ group: { main, rows, came }, ofSession, isOpen, onToggle }: StepProps) {
  const { time, tool, event, summary, verdict, reason, hook, took, session, project } = main;
  const colour = verdict === "deny" || verdict === "failed" ? " stop" : "";
  return (
    <div class="step">
      <span class="faint num">{ofSession ? clock(time, true) : moment(time)}</span>
      <div class="what">
        <button type="button" class="open" aria-expanded={isOpen} onClick={onToggle}>
          <code>
            {tool ?? event} {summary}
          </code>
        </button>
        {verdict !== "continue" && (
          <div class={`why${colour}`}>
            {[hook, reason].filter((part) => part !== undefined && part !== "").join(": ")}
          </div>
        )}
        {came !== undefined && <div class="why">{came}</div>}
        {!ofSession && (
          <div class="faint">
            <a href={href(`/sessions/${encodeURIComponent(session)}`)}>session {tagOf(session)}</a>
            {project === undefined ? "" : ` in ${folder(project)}`}
          </div>
        )}
        {isOpen && rows.map(({ seq }) => <CallBody key={seq} seq={seq} />)}
      </div>
      <span>
        {verdict === "continue" ? (
          <span class="faint">{took > 0 ? milliseconds(took) : ""}</span>
        ) : (
          <span class={`tag ${TAGS[verdict]}`}>{WORDS[verdict]}</span>
        )}
      </span>
    </div>
  );
}
