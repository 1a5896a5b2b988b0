import type { CallDetail } from "../../monitor/dashboard/wire.ts";
import { inputText } from "../../shared/call-text.ts";
import { useAsked } from "../net/use-asked.ts";
import { clock, milliseconds } from "./format.ts";
import { Failed, Loading, scrolled } from "./states.tsx";

/** All that is recorded of a call: its input before and after, and what each hook said. */
export function CallBody({ seq }: { readonly seq: number }) {
  const { reply, problem, again } = useAsked<CallDetail>(`calls/${seq}`);
  if (problem !== undefined) return <Failed problem={problem} again={again} />;
  if (reply === undefined) return <Loading what="the call" />;
  const { event, decision, happened, runs } = reply.record;
  const before = event.tool_input ?? event.prompt ?? event.last_assistant_message;
  const after = decision?.input ?? decision?.prompt;
  return (
    <div class="detail">
      {before !== undefined && after !== undefined ? (
        <Difference before={inputText(before)} after={inputText(after)} />
      ) : (
        before !== undefined && (
          <code class="call" {...scrolled("Input")}>
            {inputText(before)}
          </code>
        )
      )}
      {happened !== undefined && <p class="muted">{reply.row.reason}</p>}
      {runs.length > 0 && (
        <table aria-label="What each hook said">
          <thead>
            <tr>
              <th>Hook</th>
              <th>Said</th>
              <th class="num">Took</th>
            </tr>
          </thead>
          <tbody>
            {runs.map((run, at) => (
              <tr key={at}>
                <td>{run.name}</td>
                <td class="muted">{saidText(run)}</td>
                <td class="num faint">{milliseconds(run.duration_ms)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p class="faint">
        {event.hook_event_name} at {clock(reply.row.time, true)}
        {typeof event.cwd === "string" ? ` in ${event.cwd}` : ""}
      </p>
    </div>
  );
}

type Run = CallDetail["record"]["runs"][number];

function saidText({ outcome, failure, would, skipped }: Run): string {
  if (failure !== undefined) return `failed: ${failure.message}`;
  if (would !== undefined)
    return `would ${would.action}${would.reason === undefined ? "" : `: ${would.reason}`}`;
  if (skipped !== undefined) return "not asked";
  if (outcome === undefined) return "nothing";
  return [outcome.action, outcome.reason].filter((part) => part !== undefined).join(": ");
}

/** Lines that differ, with what both begin and end with once. */
function Difference({ before, after }: { readonly before: string; readonly after: string }) {
  const [old, now] = [before.split("\n"), after.split("\n")];
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < old.length - head && tail < now.length - head && old.at(-1 - tail) === now.at(-1 - tail))
    tail += 1;
  const line = (mark: string, kind: string) => (text: string, at: number) => (
    <div key={`${kind}${at}`} class={kind}>
      {mark} {text}
    </div>
  );
  return (
    <div class="diff">
      {old.slice(0, head).map(line(" ", "same"))}
      {old.slice(head, old.length - tail).map(line("-", "out"))}
      {now.slice(head, now.length - tail).map(line("+", "in"))}
      {old.slice(old.length - tail).map(line(" ", "same tail"))}
    </div>
  );
}
