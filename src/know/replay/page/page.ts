import { harmless } from "../../../shared/harmless.ts";
import { html } from "../../page/html.ts";
import { STYLE } from "../../page/style.ts";
import type { HookTally, Replay } from "../tally.ts";
import { SCRIPT } from "./script.ts";

/** What a replay found as one page that needs nothing else: no network, no other file. */
export function replayPage(found: Replay, titles: ReadonlyMap<string, string>): string {
  const { sessions, events, unreadable, would, changed, changed_left_out, by_hook, unjudged, against } =
    found;
  const data = { changed: shownValue(changed.toReversed()), titles: Object.fromEntries(titles) };
  const agents = [...titles.values()].join(", ");
  const count = (value: number): string => value.toLocaleString("en");
  const share = events === 0 ? 100 : Math.floor((would.same / events) * 1000) / 10;
  const read = unreadable === 0 ? "all lines were read" : `${count(unreadable)} lines could not be read`;
  const left = changed_left_out === 0 ? "" : `${count(changed_left_out)} more are counted, but not listed`;
  const tiles = [
    tile("Sessions", count(sessions), agents),
    tile("Calls", count(events), read),
    tile("Would deny", count(would.deny), `in ${count(found.denied_sessions)} sessions`, "stop"),
    tile("Would ask", count(would.ask), left, "wait"),
    ...(would.rewrite > 0 ? [tile("Would rewrite", count(would.rewrite), "", "rewrites")] : []),
    ...(against === undefined
      ? []
      : [
          tile(
            "Newly stopped",
            count(against.newly_stopped),
            `${count(against.other_reason)} for another reason`,
          ),
          tile("Newly let through", count(against.newly_let_through), ""),
        ]),
    tile("As before", `${share.toFixed(1)} %`, `${count(would.same)} calls`),
  ];
  const commands = unjudged.map(
    ({ command, calls }) =>
      `<tr><td class="clip"><code>${html(command)}</code></td><td class="num">${count(calls)}</td></tr>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
<title>Replay: what your hooks would have stopped</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<div class="head"><h1>Replay</h1><span class="muted">${html(periodOf(found))}</span><div class="right"><button class="btn" id="theme" type="button">Light or dark</button><button class="btn" id="save" type="button">Save as tests</button><button class="btn" id="export" type="button">Export</button></div></div>
<section class="card tiles">${tiles.join("")}</section>
<div class="two">
<div><h2 class="bar">Changed calls by day<span class="legend"><span><i style="background:var(--stop-band)"></i>deny</span><span><i style="background:var(--wait-band)"></i>ask</span><span><i style="background:var(--work-band)"></i>rewrite</span></span></h2><div class="card plot" id="plot"></div></div>
<div><h2>By hook and rule</h2><div class="card short"><table><thead><tr><th>Rule</th><th>Hook</th><th class="num">Deny</th><th class="num">Ask</th><th class="num wide">Rewrite</th></tr></thead><tbody>${by_hook.map(hookRow).join("") || '<tr><td colspan="5" class="empty">No hook would change anything.</td></tr>'}</tbody></table></div></div>
</div>
<section>
<h2>Changed calls</h2>
<div class="tools"><input class="field" id="search" type="search" placeholder="Search calls, reasons, rules, sessions" aria-label="Search"><div class="tabs" role="group" aria-label="Would">${["all", "deny", "ask", "rewrite"].map((name) => `<button type="button" data-would="${name}" aria-pressed="${name === "all"}">${name}</button>`).join("")}</div><span class="faint" id="count" aria-live="polite"></span></div>
<div class="card"><div class="grid titles"><span>Would</span><span>Call</span><span>Because</span><span>Agent</span><span class="num">When</span></div><div class="list" id="list" tabindex="0"><div id="space"></div><div class="empty" id="none" hidden>No call fits.</div></div></div>
</section>
<section>
<h2>Most frequent commands that nothing judged</h2>
<div class="card short"><table><tbody>${commands.join("") || '<tr><td class="empty">Every command was judged.</td></tr>'}</tbody></table></div>
</section>
</main>
<dialog id="call" aria-label="Call"></dialog>
<script type="application/json" id="data">${JSON.stringify(data).replaceAll("<", "\\u003c")}</script>
<script>${SCRIPT}</script>
</body>
</html>
`;
}

function tile(name: string, value: string, small: string, colour = ""): string {
  return `<div class="tile"><span>${name}</span><b class="${colour}">${value}</b><small>${html(small)}</small></div>`;
}

function hookRow({ hook, rule, deny, ask, rewrite }: HookTally): string {
  const cell = (value: number, more = ""): string =>
    `<td class="num${more}">${value === 0 ? '<span class="faint">0</span>' : value.toLocaleString("en")}</td>`;
  const name = rule ?? hook;
  return `<tr><td class="clip" title="${html(name)}">${html(name)}</td><td class="muted hook" title="${html(hook)}">${html(hook)}</td>${cell(deny)}${cell(ask)}${cell(rewrite, " wide")}</tr>`;
}

function periodOf({ from, until }: Replay): string {
  if (from === undefined || until === undefined) return "recorded calls against your hooks";
  const [first, last] = [from.slice(0, 10), until.slice(0, 10)];
  return first === last
    ? `calls of ${first} against your hooks`
    : `calls from ${first} to ${last} against your hooks`;
}

/** A JSON value in which no text can hide something from its reader. */
function shownValue(value: unknown): unknown {
  if (typeof value === "string") return harmless(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(shownValue);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [harmless(key), shownValue(item)]));
}
