import type { SessionView, TurnView } from "../../monitor/dashboard/wire.ts";
import { tagOf } from "../../shared/tags.ts";
import { useLive, useMay } from "../net/live.ts";
import { href } from "../net/route.ts";
import { useAsked } from "../net/use-asked.ts";
import { sourceText } from "../parts/band.tsx";
import { Calls } from "../parts/calls.tsx";
import { useNow } from "../parts/clock.ts";
import { Control } from "../parts/control.tsx";
import { age, clock, count, dollars, moment, tokens } from "../parts/format.ts";
import { Questions } from "../parts/questions.tsx";
import { Failed, Loading } from "../parts/states.tsx";
import { StateWord } from "./agents.tsx";

const LOOK_MILLISECONDS = 3000;

export function Session({ id }: { readonly id: string }) {
  const { overview } = useLive();
  const now = useNow();
  const mayControl = useMay("control");
  const looks = Math.floor(now / LOOK_MILLISECONDS);
  const live = overview?.agents.find(({ session_id }) => session_id === id);
  const { reply, problem, again } = useAsked<SessionView>(
    `sessions/${encodeURIComponent(id)}`,
    `${looks} ${live?.since}`,
  );
  if (problem !== undefined && reply === undefined)
    return <Failed problem={problem} again={again} title="Session" />;
  if (reply === undefined) return <Loading what="the session" title="Session" />;
  const agent = live ?? reply.agent;
  const open = overview?.open.filter(({ session_id }) => session_id === id) ?? [];
  return (
    <>
      <div class="head">
        <a class="muted" href={href("/")}>
          Agents
        </a>
        <span class="faint">/</span>
        <h1>{agent?.name ?? `session ${tagOf(id)}`}</h1>
        {agent !== undefined && <StateWord agent={agent} now={now} />}
        {agent !== undefined && mayControl && <Control agent={agent} />}
      </div>
      <Questions open={open} label="Waiting for you" />
      <div class="two">
        <section class="card" aria-label="Calls of this session">
          <Calls which={{ session: id }} ofSession turns={reply.turns} changes={`${looks} ${live?.since}`} />
        </section>
        <Facts session={reply} now={now} />
      </div>
    </>
  );
}

function Facts({ session, now }: { readonly session: SessionView; readonly now: number }) {
  const { agent, turns, numbers } = session;
  const facts: readonly (readonly [string, string | undefined])[] = [
    ["Program", agent?.host],
    ["Folder", agent?.cwd?.split("/").slice(-2).join("/")],
    ["Started", turns.length === 0 ? undefined : moment(turns.at(-1)?.started ?? "")],
    ["Turns", turns.length === 0 ? undefined : count(turns.length)],
    ["Decisions", count(numbers.calls)],
    ["Stopped", count(numbers.stopped)],
    ["Asked", count(numbers.asked)],
    ["Tokens", agent?.tokens === undefined ? undefined : tokens(agent.tokens)],
    ["Cost", agent?.cost_usd === undefined ? undefined : dollars(agent.cost_usd)],
  ];
  return (
    <div class="side">
      <div class="card">
        <h2>This session</h2>
        <dl>
          {facts.flatMap(([name, value]) =>
            value === undefined ? [] : [<dt key={name}>{name}</dt>, <dd key={`${name} value`}>{value}</dd>],
          )}
        </dl>
      </div>
      <TurnPlot title="Tokens by turn" turns={turns} of="tokens" format={tokens} />
      <TurnPlot title="Cost by turn" turns={turns} of="cost_usd" format={dollars} />
      {agent !== undefined && (
        <div class="card">
          <h2>How the state is known</h2>
          <p class="muted">
            “{agent.words}”: {sourceText(agent.source)}, {age(agent.since, now)} ago.
            {agent.no_news_since !== undefined && ` No news since ${clock(agent.no_news_since)}.`}
          </p>
        </div>
      )}
    </div>
  );
}

const MOST_BARS = 24;
/** More have no room for their numbers. */
const MOST_NAMED = 7;
const [WIDTH, HEIGHT] = [264, 76];

interface PlotProps {
  readonly title: string;
  readonly turns: readonly TurnView[];
  readonly of: "tokens" | "cost_usd";
  readonly format: (value: number) => string;
}

/** A bar for each of the last turns; nothing when no turn tells. */
function TurnPlot({ title, turns, of, format }: PlotProps) {
  const shown = turns.slice(0, MOST_BARS).toReversed();
  if (shown.every((turn) => turn[of] === undefined)) return null;
  const most = Math.max(...shown.map((turn) => turn[of] ?? 0)) || 1;
  const step = WIDTH / shown.length;
  const width = Math.min(40, step * 0.7);
  return (
    <div class="card">
      <h2>{title}</h2>
      <svg viewBox={`0 0 ${WIDTH} 92`} width="100%" role="img" aria-label={title}>
        {shown.map((turn, at) => {
          const value = turn[of] ?? 0;
          const height = Math.max(1, (value / most) * (HEIGHT - 16));
          const x = at * step + (step - width) / 2;
          return (
            <g key={turn.number}>
              <title>{`Turn ${turn.number}: ${format(value)}`}</title>
              <rect class="bar-work" x={x} y={HEIGHT - height} width={width} height={height} rx="3" />
              {shown.length <= MOST_NAMED && (
                <text x={x + width / 2} y={HEIGHT - height - 4} text-anchor="middle">
                  {format(value)}
                </text>
              )}
              {(shown.length <= 12 || at % 4 === 0) && (
                <text x={x + width / 2} y="90" text-anchor="middle">
                  {turn.number}
                </text>
              )}
            </g>
          );
        })}
      </svg>
    </div>
  );
}
