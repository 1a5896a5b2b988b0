import { useMemo, useState } from "preact/hooks";
import type { ReplayedCall, ReplayView } from "../../../shared/replay.ts";
import { goWords, useRoute } from "../../net/route.ts";
import { Tabs } from "../../parts/choose.tsx";
import { count } from "../../parts/format.ts";
import { callText, ReplayedRow, wouldOf } from "../../parts/replayed-call.tsx";
import { Empty } from "../../parts/states.tsx";
import { Virtual } from "../../parts/virtual.tsx";

interface Row {
  readonly key: number;
  readonly call: ReplayedCall;
  /** What a search looks in. */
  readonly text: string;
}

/** The calls that would be decided differently, the newest first. */
export function Changed({ found: { changed, left_out } }: { readonly found: ReplayView }) {
  const { words } = useRoute();
  const [open, setOpen] = useState<number | undefined>();
  const [search, would] = [words.get("q") ?? "", words.get("would") ?? ""];
  const rows = useMemo(() => changed.map(rowOf).reverse(), [changed]);
  const kinds = useMemo(() => [...new Set(changed.map(wouldOf))].sort(), [changed]);
  const shown = useMemo(() => {
    const wanted = search.toLowerCase().split(/\s+/);
    return rows.filter(
      ({ call, text }) =>
        (would === "" || wouldOf(call) === would) && wanted.every((word) => text.includes(word)),
    );
  }, [rows, search, would]);
  const total = changed.length + left_out;
  return (
    <section>
      <div class="bar tools">
        <h2>Calls that would be decided differently</h2>
        <span class="muted" aria-live="polite">
          {shown.length === total ? count(total) : `${count(shown.length)} of ${count(total)}`}
        </span>
        {changed.length > 0 && (
          <div class="right">
            <input
              class="field"
              type="search"
              placeholder="Search"
              aria-label="Search calls"
              value={search}
              onInput={({ currentTarget }) => goWords({ q: currentTarget.value })}
            />
            {kinds.length > 1 && (
              <Tabs
                choices={[["", "All"], ...kinds.map((kind) => [kind, kind] as const)]}
                value={would}
                onChange={(value) => goWords({ would: value })}
              />
            )}
          </div>
        )}
      </div>
      <div class="card">
        {changed.length === 0 ? (
          <Empty title="Nothing would change">All of these calls would be decided as they were.</Empty>
        ) : shown.length === 0 ? (
          <Empty title="No call fits" />
        ) : (
          <>
            <div class="replayed titles" aria-hidden="true">
              <span>Would</span>
              <span>Call</span>
              <span class="wide">Because</span>
              <span class="wide">Agent</span>
              <span class="num">When</span>
            </div>
            <Virtual
              label="Changed calls"
              items={shown}
              keyOf={({ key }) => key}
              guess={38}
              row={({ key, call }) => (
                <ReplayedRow
                  call={call}
                  isOpen={open === key}
                  onToggle={() => setOpen(open === key ? undefined : key)}
                />
              )}
            />
          </>
        )}
      </div>
      {left_out > 0 && (
        <p class="muted beyond">
          {count(left_out)} more are counted, but not listed. <code>tenterhook replay --all</code> shows them.
        </p>
      )}
    </section>
  );
}

function rowOf(call: ReplayedCall, key: number): Row {
  const { tool_name, agent, session, now } = call;
  const parts = [callText(call), tool_name, agent, session, now.action, now.hook, now.rule, now.reason];
  return { key, call, text: parts.join("\n").toLowerCase() };
}
