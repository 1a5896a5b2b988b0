import { useEffect, useRef, useState } from "preact/hooks";
import type { AgentView, Bands } from "../../monitor/dashboard/wire.ts";
import { useLive } from "../net/live.ts";
import { goWords, href, useRoute } from "../net/route.ts";
import { useAsked } from "../net/use-asked.ts";
import { colourOf, StateBand, sourceText } from "../parts/band.tsx";
import { Tabs } from "../parts/choose.tsx";
import { useNow } from "../parts/clock.ts";
import { age, clock, dollars, folder, plural, tokens } from "../parts/format.ts";
import { useKeys } from "../parts/keys.ts";
import { Questions } from "../parts/questions.tsx";
import { Empty, Failed, Loading } from "../parts/states.tsx";

const BAND_MILLISECONDS = 10_000;
const NIGHT_HOURS = 12;
const FIRST_ROWS = 40;
/** The table below them is to be seen, too. */
const MOST_QUESTIONS = 3;

export function Agents() {
  const { overview } = useLive();
  const { words } = useRoute();
  const field = useRef<HTMLInputElement>(null);
  useKeys({ "/": () => field.current?.focus() });
  const now = useNow(BAND_MILLISECONDS);
  const isNight = words.get("show") === "night";
  const filter = words.get("q") ?? "";
  const changes = `${Math.floor(now / BAND_MILLISECONDS)} ${overview?.agents.map(({ since }) => since).join()}`;
  const bands = useAsked<Bands>(`bands?hours=${isNight ? NIGHT_HOURS : 1}`, changes);
  if (overview === undefined) return <Loading what="agents" title="Agents" />;
  const { agents, open } = overview;
  const shown = agents.filter((agent) => fits(agent, filter));
  const asking = new Set(open.map(({ agent_id }) => agent_id));
  const waiting = agents.filter(({ id, state }) => state === "prompting" || asking.has(id)).length;
  return (
    <>
      <div class="head">
        <h1>Agents</h1>
        <span class="muted">
          {agents.length === 0
            ? ""
            : `${agents.length} here${waiting > 0 ? `, ${waiting} ${waiting === 1 ? "waits" : "wait"} for you` : ""}`}
        </span>
        <div class="right">
          <input
            ref={field}
            class="field"
            type="search"
            placeholder="Filter  /"
            aria-label="Filter"
            value={filter}
            onInput={({ currentTarget }) => goWords({ q: currentTarget.value })}
          />
          <Tabs
            choices={[
              ["", "Now"],
              ["night", "Night"],
            ]}
            value={isNight ? "night" : ""}
            onChange={(show) => goWords({ show })}
          />
        </div>
      </div>
      {!isNight && <Questions open={open} label="Waiting for you" most={MOST_QUESTIONS} />}
      {isNight ? (
        <Night asked={bands} agents={shown} />
      ) : (
        <section class="card scroll">
          {agents.length === 0 ? <NoAgents /> : <Table agents={shown} bands={bands.reply} filter={filter} />}
        </section>
      )}
    </>
  );
}

function NoAgents() {
  return (
    <Empty title="No agent has reported yet">
      Agents report here once Tenterhook is installed in them: <code>tenterhook install claude</code>. Or run
      one under the monitor: <code>tenterhook run -- claude</code>.
    </Empty>
  );
}

function fits({ name, words, doing, cwd, host }: AgentView, filter: string): boolean {
  const text = [name, words, doing, cwd, host].join(" ").toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

interface TableProps {
  readonly agents: readonly AgentView[];
  readonly bands: Bands | undefined;
  readonly filter: string;
}

function Table({ agents, bands, filter }: TableProps) {
  const now = useNow();
  const [isWhole, setWhole] = useState(agents.length <= FIRST_ROWS);
  // The first rows can be read while the others are drawn.
  useEffect(() => {
    const timer = setTimeout(() => setWhole(true));
    return () => clearTimeout(timer);
  }, []);
  const bandOf = new Map(bands?.agents.map((one) => [one.id, one.bands]));
  if (agents.length === 0) return <Empty title={`No agent matches “${filter}”`} />;
  return (
    <table aria-label="Agents">
      <thead>
        <tr>
          <th class="w-state">State</th>
          <th class="w-agent">Agent</th>
          <th>Doing</th>
          <th class="wide w-band">Last hour</th>
          <th class="num wide w-tokens">Tokens</th>
          <th class="num w-cost">Cost</th>
          <th class="num wide w-left">Context left</th>
        </tr>
      </thead>
      <tbody>
        {(isWhole ? agents : agents.slice(0, FIRST_ROWS)).map((agent) => (
          <tr
            key={agent.id}
            class={agent.session_id === undefined ? "" : "opens"}
            // The link is for the keyboard; a click may be anywhere in the row.
            onClick={({ target, currentTarget }) => {
              if (target instanceof Element && target.closest("a") === null)
                currentTarget.querySelector("a")?.click();
            }}
          >
            <td>
              <StateWord agent={agent} now={now} />
            </td>
            <td class="name" title={agent.cwd}>
              {agent.session_id === undefined ? (
                agent.name
              ) : (
                <a href={href(`/sessions/${encodeURIComponent(agent.session_id)}`)}>{agent.name}</a>
              )}
              {!agent.name.includes(folder(agent.cwd)) && <span class="faint"> {folder(agent.cwd)}</span>}
            </td>
            <td class="clip muted" title={agent.doing}>
              {agent.is_call === true ? <code>{agent.doing}</code> : agent.doing}
            </td>
            <td class="wide">
              {bands !== undefined && (
                <StateBand bands={bandOf.get(agent.id) ?? []} from={bands.from} to={bands.to} />
              )}
            </td>
            <td class="num wide">{tokens(agent.tokens)}</td>
            <td class="num">{dollars(agent.cost_usd)}</td>
            <td class="num wide">
              <Left left={agent.context_left} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function StateWord({ agent, now }: { readonly agent: AgentView; readonly now: number }) {
  const colour = agent.failed === true ? "stop" : colourOf(agent.state);
  const isGuess = agent.source === "inferred";
  return (
    <span class="state" title={`${sourceText(agent.source)}, since ${clock(agent.since, true)}`}>
      <i class={`dot ${isGuess ? "guess" : colour}`} />
      <span class={colour === "wait" || colour === "stop" ? colour : ""}>{agent.words}</span>
      {agent.no_news_since === undefined ? (
        <span class="faint age">{age(agent.since, now)}</span>
      ) : (
        <span class="faint age">no news since {clock(agent.no_news_since)}</span>
      )}
    </span>
  );
}

const LOW = 0.3;

function Left({ left }: { readonly left: number | undefined }) {
  if (left === undefined) return <span class="faint">not told</span>;
  const percent = Math.round(left * 100);
  return (
    <>
      {percent} %
      <span class={`left${left < LOW ? " low" : ""}`} aria-hidden="true">
        <i style={{ width: `${percent}%` }} />
      </span>
    </>
  );
}

interface NightProps {
  readonly asked: ReturnType<typeof useAsked<Bands>>;
  readonly agents: readonly AgentView[];
}

/** A whole night on one screen. */
function Night({ asked: { reply, problem, again }, agents }: NightProps) {
  if (reply === undefined)
    return (
      <section class="card">
        {problem === undefined ? <Loading what="the night" /> : <Failed problem={problem} again={again} />}
      </section>
    );
  const { from, to } = reply;
  const known = new Map(agents.map((agent) => [agent.id, agent]));
  const rows = reply.agents.filter(({ id }) => known.has(id));
  const hours = [0, 1, 2, 3, 4, 5, 6].map((at) => from + ((to - from) * at) / 6);
  return (
    <section>
      <div class="bar">
        <h2>Last {NIGHT_HOURS} hours</h2>
        <span class="muted">
          {clock(from)} to {clock(to)}
        </span>
        <div class="right legend">
          <Key colour="work" word="working" />
          <Key colour="wait" word="waits for a human" />
          <Key colour="stop" word="failed" />
          <Key colour="idle" word="idle" />
        </div>
      </div>
      <div class="card night">
        {rows.length === 0 && <Empty title="No agent ran in these hours" />}
        {rows.map(({ id, name, bands }) => {
          const session = known.get(id)?.session_id;
          const lost = bands.reduce(
            (sum, band) =>
              sum + (band.state === "prompting" || band.state === "failed" ? band.to - band.from : 0),
            0,
          );
          const asked = bands.filter(({ state }) => state === "prompting").length;
          const isMuch = lost > 30 * 60_000;
          return (
            <div class="row" key={id}>
              {session === undefined ? (
                <span class="name">{name}</span>
              ) : (
                <a class="name" href={href(`/sessions/${encodeURIComponent(session)}`)}>
                  {name}
                </a>
              )}
              <StateBand bands={bands} from={from} to={to} />
              <span class={`num ${isMuch ? "wait" : "faint"}`}>
                {isMuch ? `${(lost / 3_600_000).toFixed(1)} h lost` : asked > 0 ? `${asked} asked` : ""}
              </span>
            </div>
          );
        })}
        <div class="row">
          <span class="faint">{plural(rows.length, "agent")}</span>
          <div class="axis">
            {hours.map((hour) => (
              <span key={hour}>{clock(hour)}</span>
            ))}
          </div>
          <span />
        </div>
      </div>
    </section>
  );
}

function Key({ colour, word }: { readonly colour: string; readonly word: string }) {
  return (
    <span>
      <i class={`dot ${colour}`} />
      {word}
    </span>
  );
}
