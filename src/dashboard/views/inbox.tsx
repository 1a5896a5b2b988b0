import type { QuestionView } from "../../monitor/dashboard/wire.ts";
import { useLive } from "../net/live.ts";
import { goWords, href, useRoute } from "../net/route.ts";
import { useAsked } from "../net/use-asked.ts";
import { Tabs } from "../parts/choose.tsx";
import { moment } from "../parts/format.ts";
import { Questions } from "../parts/questions.tsx";
import { Empty, Failed, Loading } from "../parts/states.tsx";

const MOST_BELOW = 10;

export function Inbox() {
  const { overview } = useLive();
  const { words } = useRoute();
  const showsAnswered = words.get("show") === "answered";
  const open = overview?.open ?? [];
  const answered = useAsked<{ answered: readonly QuestionView[] }>(
    "answered",
    open.map(({ id }) => id).join(),
  );
  if (overview === undefined) return <Loading what="questions" title="Inbox" />;
  const all = answered.reply?.answered ?? [];
  return (
    <>
      <div class="head">
        <h1>Inbox</h1>
        <span class="muted">{open.length} open</span>
        <div class="right">
          <Tabs
            choices={[
              ["", "Open"],
              ["answered", "Answered"],
            ]}
            value={showsAnswered ? "answered" : ""}
            onChange={(show) => goWords({ show })}
          />
        </div>
      </div>
      {!showsAnswered && (
        <>
          <Questions open={open} label="Open questions" />
          {open.length === 0 && (
            <section class="card">
              <Empty title="Nobody waits for you">
                Questions, plans and permissions of your agents appear here as soon as they ask.
              </Empty>
            </section>
          )}
        </>
      )}
      {answered.problem !== undefined && (
        <section class="card">
          <Failed problem={answered.problem} again={answered.again} />
        </section>
      )}
      {(showsAnswered || all.length > 0) && (
        <section>
          <div class="bar">
            <h2>{showsAnswered ? "Answered" : "Answered before"}</h2>
          </div>
          <div class="card scroll">
            {all.length === 0 ? (
              <Empty title="Nothing was answered yet" />
            ) : (
              <Answered all={showsAnswered ? all : all.slice(0, MOST_BELOW)} />
            )}
          </div>
          {!showsAnswered && all.length > MOST_BELOW && (
            <p>
              <a class="muted" href={href("/inbox?show=answered")}>
                All that was answered
              </a>
            </p>
          )}
        </section>
      )}
    </>
  );
}

function Answered({ all }: { readonly all: readonly QuestionView[] }) {
  return (
    <table aria-label="Answered">
      <thead>
        <tr>
          <th class="w-agent">Agent</th>
          <th>Asked</th>
          <th>What came of it</th>
          <th class="num w-when">When</th>
        </tr>
      </thead>
      <tbody>
        {all.map((one) => (
          <tr key={one.id}>
            <td class="name">
              {one.session_id === undefined ? (
                one.agent
              ) : (
                <a href={href(`/sessions/${encodeURIComponent(one.session_id)}`)}>{one.agent}</a>
              )}
            </td>
            <td class="clip">
              {[one.context, ...one.parts.map(({ question }) => question)].join(" ").trim()}
            </td>
            <td
              class={`clip ${one.fate === "late" || one.fate === "unused" ? "wait" : "muted"}`}
              title={one.outcome}
            >
              {one.outcome}
            </td>
            <td class="num faint">{moment(one.ended_at ?? one.created_at)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
