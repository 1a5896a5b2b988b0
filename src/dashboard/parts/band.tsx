import type { Band } from "../../monitor/dashboard/wire.ts";
import type { StateSource } from "../../shared/monitor/events.ts";
import type { AgentState } from "../../shared/monitor/monitor.ts";
import { clock } from "./format.ts";

/** The colour of a state. */
const COLOURS: Readonly<Record<AgentState, string>> = {
  prompting: "wait",
  failed: "stop",
  gone: "stop",
  working: "work",
  starting: "work",
  idle: "idle",
  exited: "none",
};

const WORDS: Readonly<Record<AgentState, string>> = {
  prompting: "waited for a human",
  failed: "failed",
  gone: "process gone",
  working: "worked",
  starting: "started",
  idle: "idle",
  exited: "ended",
};

export function colourOf(state: AgentState): string {
  return COLOURS[state];
}

const SOURCES: Readonly<Record<StateSource, string>> = {
  hook: "said by its own hook",
  transcript: "read from its transcript",
  inferred: "inferred",
};

export function sourceText(source: StateSource): string {
  return SOURCES[source];
}

interface Props {
  readonly bands: readonly Band[];
  readonly from: number;
  readonly to: number;
}

/** The states of an agent over time. */
export function StateBand({ bands, from, to }: Props) {
  const [first] = bands;
  const parts = first === undefined || first.from <= from ? bands : [undefined, ...bands];
  const told = bands.map((band) => `${WORDS[band.state]} from ${clock(band.from)}`).join(", ");
  return (
    <div class="band" role="img" aria-label={told === "" ? "nothing known" : told}>
      {parts.map((band) => {
        const [start, end] = band === undefined ? [from, first?.from ?? to] : [band.from, band.to];
        const colour = band === undefined ? "none" : COLOURS[band.state];
        const style = { flex: `${Math.max(1, end - start)} 1 0` };
        const title =
          band && `${WORDS[band.state]}, ${clock(start)} to ${clock(end)}, ${sourceText(band.source)}`;
        return (
          <i
            key={start}
            class={`${colour}${band?.source === "inferred" ? " guess" : ""}`}
            style={style}
            title={title}
          />
        );
      })}
    </div>
  );
}
