import type { ActivityView } from "../../../monitor/dashboard/wire.ts";
import { useRoute } from "../../net/route.ts";
import { Calls } from "../../parts/calls.tsx";
import { folder } from "../../parts/format.ts";
import { listAddress } from "./words.ts";

const VERDICTS: Readonly<Record<string, string>> = {
  deny: "that were stopped",
  ask: "that were asked about",
  failed: "in which a hook failed",
  changed: "that were changed",
};

const SAID: Readonly<Record<string, string>> = {
  ran: "that it judged",
  deny: "that it denied",
  ask: "that it asked about",
  rewrite: "that it rewrote",
  would: "about which it would have said something",
  failed: "in which it failed",
};

/** The calls behind a number. */
export function Chosen({ view: { since, until } }: { readonly view: ActivityView }) {
  const { words } = useRoute();
  const [verdict, agent, hook, rule, said, project] = [
    "verdict",
    "agent",
    "hook",
    "rule",
    "said",
    "project",
  ].map((word) => words.get(word) ?? undefined);
  const about = rule ?? hook;
  const what =
    about !== undefined
      ? (SAID[said ?? "ran"] ?? "")
      : said === "failed"
        ? "in which a hook failed"
        : (VERDICTS[verdict ?? ""] ?? "");
  const whose = [
    agent === undefined ? "" : ` of ${agent === "-" ? "unknown agents" : agent}`,
    project === undefined ? "" : ` in ${folder(project)}`,
  ].join("");
  return (
    <section aria-label="Calls behind the number">
      <div class="bar">
        <h2 class="clip" title={about}>
          {about !== undefined && `${about}: `}
          {about === undefined ? "Calls" : "calls"} {what}
          {whose}
        </h2>
        <div class="right">
          <a class="muted" href={listAddress(words, {})}>
            Close
          </a>
        </div>
      </div>
      <div class="card window">
        <Calls
          which={{
            since: String(Date.parse(since)),
            // Up to now, new ones are shown as they come.
            until: words.has("to") ? String(Date.parse(until)) : undefined,
            verdict,
            agent,
            hook,
            rule,
            said,
            project,
          }}
        />
      </div>
    </section>
  );
}
