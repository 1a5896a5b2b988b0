import type { ActivityView } from "../../../monitor/dashboard/wire.ts";
import { href, useRoute } from "../../net/route.ts";
import { Calls } from "../../parts/calls.tsx";
import { count, milliseconds, moment, plural } from "../../parts/format.ts";

const VERDICTS: Readonly<Record<string, string>> = {
  deny: "stopped",
  ask: "asked",
  failed: "hook failed",
  changed: "changed",
};

/** An address with other words. */
export function withWords(words: URLSearchParams, change: Readonly<Record<string, string>>): string {
  const next = new URLSearchParams(words);
  for (const key of ["verdict", "hook", "from", "to", "list"]) next.delete(key);
  for (const [key, value] of Object.entries(change)) next.set(key, value);
  return href(`/activity?${next}`);
}

export function Tiles({ view: { totals, hooks } }: { readonly view: ActivityView }) {
  const { words } = useRoute();
  const { decisions, stopped, asked, failures, sessions } = totals;
  const share = (part: number): string =>
    decisions === 0 ? "" : `${((part / decisions) * 100).toFixed(part / decisions < 0.1 ? 1 : 0)} % of calls`;
  const runs = hooks.reduce((sum, one) => sum + one.runs, 0);
  const total = hooks.reduce((sum, one) => sum + one.mean_ms * one.runs, 0);
  const slowest = hooks.reduce((most, { p95_ms }) => Math.max(most, p95_ms), 0);
  const failing = hooks.filter((one) => one.failures > 0).map(({ name }) => name);
  return (
    <section class="card tiles" aria-label="Totals">
      <div class="tile">
        <span>Calls</span>
        <b>
          <a href={withWords(words, { list: "all" })}>{count(decisions)}</a>
        </b>
        <small>in {plural(sessions, "session")}</small>
      </div>
      <div class="tile">
        <span>Stopped</span>
        <b>
          <a href={withWords(words, { verdict: "deny" })}>{count(stopped)}</a>
        </b>
        <small>{share(stopped)}</small>
      </div>
      <div class="tile">
        <span>Asked</span>
        <b>
          <a href={withWords(words, { verdict: "ask" })}>{count(asked)}</a>
        </b>
        <small>{share(asked)}</small>
      </div>
      <div class="tile">
        <span>Hook failures</span>
        <b>
          <a href={withWords(words, { verdict: "failed" })}>{count(failures)}</a>
        </b>
        <small>
          {failing.length === 0
            ? "none"
            : failing.length === 1
              ? `all in ${failing[0]}`
              : `in ${failing.length} hooks`}
        </small>
      </div>
      <div class="tile">
        <span>Time of a hook</span>
        <b>{runs === 0 ? "-" : milliseconds(total / runs)}</b>
        <small>{runs === 0 ? "" : `slowest p95 ${milliseconds(slowest)}`}</small>
      </div>
    </section>
  );
}

/** The calls behind a number. */
export function Chosen({ view }: { readonly view: ActivityView }) {
  const { words } = useRoute();
  const [verdict, hook, from, to] = ["verdict", "hook", "from", "to"].map(
    (word) => words.get(word) ?? undefined,
  );
  const title = [
    verdict === undefined ? "Calls" : `Calls that were ${VERDICTS[verdict] ?? verdict}`,
    hook === undefined ? "" : `by ${hook}`,
    from === undefined ? "" : `from ${moment(Number(from))} to ${moment(Number(to))}`,
  ]
    .filter((part) => part !== "")
    .join(" ");
  return (
    <section aria-label="Calls behind the number">
      <div class="bar">
        <h2>{title}</h2>
        <div class="right">
          <a class="muted" href={withWords(words, {})}>
            Close
          </a>
        </div>
      </div>
      <div class="card window">
        <Calls
          which={{
            since: from ?? String(Date.parse(view.since)),
            until: to,
            verdict,
            hook,
            project: words.get("project") ?? undefined,
          }}
        />
      </div>
    </section>
  );
}
