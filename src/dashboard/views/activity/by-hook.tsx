import type { ActivityView } from "../../../monitor/dashboard/wire.ts";
import { useRoute } from "../../net/route.ts";
import { count, milliseconds } from "../../parts/format.ts";
import { withWords } from "./numbers.tsx";

export function Hooks({ view: { hooks, stops, since } }: { readonly view: ActivityView }) {
  const { words } = useRoute();
  if (hooks.length === 0) return null;
  const zero = <span class="faint">0</span>;
  const linked = (name: string, number: number, verdict: string) =>
    number === 0 ? zero : <a href={withWords(words, { hook: name, verdict })}>{count(number)}</a>;
  return (
    <section>
      <div class="bar">
        <h2>By hook</h2>
      </div>
      <div class="card scroll">
        <table aria-label="By hook">
          <thead>
            <tr>
              <th>Hook</th>
              <th class="wide w-spark">Stopped over time</th>
              <th class="num">Runs</th>
              <th class="num">Denied</th>
              <th class="num">Asked</th>
              <th class="num wide">Would</th>
              <th class="num wide">Failed</th>
              <th class="num wide">p95</th>
            </tr>
          </thead>
          <tbody>
            {hooks.map((hook) => (
              <tr key={hook.name}>
                <td>
                  <a href={withWords(words, { hook: hook.name })}>{hook.name}</a>
                </td>
                <td class="wide">
                  <Spark
                    points={stops.filter((one) => one.hook === hook.name)}
                    from={Date.parse(since)}
                    to={Date.now()}
                  />
                </td>
                <td class="num">{count(hook.runs)}</td>
                <td class="num">{linked(hook.name, hook.denials, "deny")}</td>
                <td class="num">{linked(hook.name, hook.asks, "ask")}</td>
                <td class="num wide">{hook.woulds === 0 ? zero : count(hook.woulds)}</td>
                <td class="num wide">{linked(hook.name, hook.failures, "failed")}</td>
                <td class="num muted wide">{milliseconds(hook.p95_ms)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

interface SparkProps {
  readonly points: readonly { readonly time: number; readonly stops: number }[];
  readonly from: number;
  readonly to: number;
}

const POINTS = 14;

function Spark({ points, from, to }: SparkProps) {
  if (points.length === 0) return null;
  const sums = Array.from({ length: POINTS }, () => 0);
  for (const { time, stops } of points) {
    const at = Math.max(0, Math.min(POINTS - 1, Math.floor(((time - from) / (to - from)) * POINTS)));
    sums[at] = (sums[at] ?? 0) + stops;
  }
  const most = Math.max(...sums, 1);
  const line = sums.map((sum, at) => `${at * 7},${(16 - (sum / most) * 14).toFixed(1)}`).join(" ");
  return (
    <svg class="spark" viewBox="0 0 92 18" aria-hidden="true">
      <polyline points={line} />
    </svg>
  );
}
