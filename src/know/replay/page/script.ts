/** The program of the page, for browsers. It reads the data next to it and asks nobody. */
export const SCRIPT = String.raw`
"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const rows = data.changed;
const el = (id) => document.getElementById(id);
const make = (tag, className, text) => {
  const node = document.createElement(tag);
  if (className) node.className = className;
  if (text !== undefined) node.textContent = text;
  return node;
};
const number = (value) => value.toLocaleString("en");
const title = (agent) => data.titles[agent] ?? agent;
const callText = ({ tool_name, tool_input: input }) => {
  if (typeof input !== "object" || input === null) return tool_name;
  for (const key of ["command", "prompt", "last_assistant_message"]) if (typeof input[key] === "string") return input[key];
  const path = input.file_path ?? input.path ?? input.filePath;
  return tool_name + " " + (typeof path === "string" ? path : JSON.stringify(input));
};
const when = (at) => at === undefined ? "" : new Date(at).toLocaleString("en", { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const because = ({ now, against }) => (against && against.action !== now.action ? "was " + against.action + ": " : "") + (now.reason ?? now.rule ?? now.hook ?? "");

/* Which calls are shown. */
let shown = rows.map((_, at) => at);
let chosen = "all";
let texts;
const search = () => {
  texts ??= rows.map((row) => [callText(row), row.tool_name, row.agent, title(row.agent), row.session, row.cwd, row.now.action, row.now.hook, row.now.rule, row.now.reason].join("\n").toLowerCase());
  const words = el("search").value.toLowerCase().split(/\s+/).filter(Boolean);
  shown = [];
  for (let at = 0; at < rows.length; at += 1)
    if ((chosen === "all" || rows[at].now.action === chosen) && words.every((word) => texts[at].includes(word))) shown.push(at);
  el("list").scrollTop = 0;
  draw();
};

/* Only the rows that can be seen are in the page. */
const drawRow = (row, top, at) => {
  const line = make("button", "row grid");
  line.style.top = top + "px";
  line.type = "button";
  line.setAttribute("aria-label", row.now.action + " " + callText(row).slice(0, 200));
  const tag = make("span");
  tag.append(make("i", "tag " + row.now.action, row.now.action === "continue" ? "let go" : row.now.action));
  tag.firstChild.style.fontStyle = "normal";
  const call = make("span", "what");
  call.append(make("code", "", callText(row).replaceAll("\n", " ")));
  line.append(tag, call, make("span", "why muted", because(row)), make("span", "agent muted", title(row.agent)), make("span", "when num muted", when(row.at)));
  line.addEventListener("click", () => open(row));
  line.dataset.at = at;
  return line;
};
const draw = () => {
  const list = el("list");
  const height = parseFloat(getComputedStyle(document.documentElement).getPropertyValue("--row"));
  const space = el("space");
  space.style.height = shown.length * height + "px";
  const first = Math.max(0, Math.floor(list.scrollTop / height) - 6);
  const last = Math.min(shown.length, first + Math.ceil(list.clientHeight / height) + 12);
  const lines = [];
  for (let at = first; at < last; at += 1) lines.push(drawRow(rows[shown[at]], at * height, at));
  space.replaceChildren(...lines);
  el("count").textContent = shown.length === rows.length ? number(rows.length) + " calls" : number(shown.length) + " of " + number(rows.length);
  el("none").hidden = shown.length > 0;
};

const open = (row) => {
  const dialog = el("call");
  const facts = [["Because", row.now.reason], ["Hook", row.now.hook], ["Rule", row.now.rule], ["Then", row.recorded && row.recorded.action], ["Compared", row.against && [row.against.action, row.against.reason].filter(Boolean).join(": ")], ["Agent", title(row.agent)], ["Session", row.session], ["Folder", row.cwd], ["When", row.at && when(row.at)]];
  const list = make("dl");
  for (const [name, text] of facts) if (text) list.append(make("dt", "", name), make("dd", "", text));
  const close = make("button", "btn", "Close");
  close.addEventListener("click", () => dialog.close());
  const head = make("header");
  head.append(make("span", "tag " + row.now.action, row.now.action), make("b", "", row.tool_name), close);
  const input = row.tool_input;
  const only = typeof input === "object" && input !== null && Object.keys(input).length === 1 ? callText(row) : JSON.stringify(input, null, 2);
  const code = make("code", "call", typeof input?.command === "string" ? input.command : only);
  dialog.replaceChildren(head, code, list);
  dialog.showModal();
};

/* A bar for each day, or for each week when there are many. */
const DAY = 86400000;
const plot = () => {
  const days = new Map();
  for (const { at, now } of rows) {
    if (at === undefined) continue;
    const day = Math.floor(Date.parse(at) / DAY);
    const counts = days.get(day) ?? { deny: 0, ask: 0, rewrite: 0 };
    if (counts[now.action] !== undefined) counts[now.action] += 1;
    days.set(day, counts);
  }
  const all = [...days.keys()].sort((a, b) => a - b);
  const box = el("plot");
  if (all.length === 0) return void (box.textContent = "No call has a time.");
  const step = all.at(-1) - all[0] > 60 ? 7 : 1;
  const columns = Math.max(7, Math.floor((all.at(-1) - all[0]) / step) + 1);
  const from = step === 1 ? all.at(-1) - columns + 1 : all[0];
  const bars = Array.from({ length: columns }, () => ({ deny: 0, ask: 0, rewrite: 0 }));
  for (const [day, counts] of days) for (const key of Object.keys(counts)) { const bar = bars[Math.floor((day - from) / step)]; if (bar) bar[key] += counts[key]; }
  const most = Math.max(1, ...bars.map(({ deny, ask, rewrite }) => deny + ask + rewrite));
  const svg = (tag, attributes) => { const node = document.createElementNS("http://www.w3.org/2000/svg", tag); for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value); return node; };
  const root = svg("svg", { viewBox: "0 0 1000 168", preserveAspectRatio: "none", role: "img", "aria-label": "Changed calls by day" });
  for (let at = 0; at < 4; at += 1) root.append(svg("line", { x1: 0, x2: 1000, y1: 8 + at * 50, y2: 8 + at * 50, stroke: "var(--line)", "vector-effect": "non-scaling-stroke" }));
  const width = 1000 / columns;
  bars.forEach((bar, at) => {
    let y = 158;
    const date = new Date((from + at * step) * DAY).toLocaleDateString("en", { weekday: "short", day: "numeric", month: "short", timeZone: "UTC" });
    for (const [key, colour] of [["deny", "stop"], ["ask", "wait"], ["rewrite", "work"]]) {
      const height = (bar[key] / most) * 150;
      y -= height;
      if (height === 0) continue;
      const rect = svg("rect", { x: at * width + width * 0.15, y, width: width * 0.7, height, fill: "var(--" + colour + "-band)" });
      const name = svg("title", {});
      name.textContent = date + ": " + bar[key] + " " + key;
      rect.append(name);
      root.append(rect);
    }
  });
  const axis = make("div", "axis");
  const marks = [...new Set([0, Math.floor(columns / 2), columns - 1])];
  for (const at of marks) axis.append(make("span", "", new Date((from + at * step) * DAY).toLocaleDateString("en", { day: "numeric", month: "short", timeZone: "UTC" })));
  box.replaceChildren(make("div", "axis", "up to " + number(most) + (step === 1 ? " a day" : " a week")), root, axis);
};

/* Downloads are made here: nothing is sent anywhere. */
const download = (name, text) => {
  const link = make("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
};
const asCase = (row) => {
  const folder = row.cwd === undefined ? {} : { cwd: row.cwd };
  const isOther = row.tool_name === "UserPromptSubmit" || row.tool_name === "Stop";
  const event = isOther ? { hook_event_name: row.tool_name, ...folder, ...row.tool_input } : { hook_event_name: "PreToolUse", ...folder, tool_name: row.tool_name, tool_input: row.tool_input };
  const { action, hook, reason } = row.now;
  const expect = row.tool_name === "Stop" ? { keep_going: reason } : { ...(action === "rewrite" ? {} : { action }), ...(hook && { hook }) };
  return "  - " + JSON.stringify({ name: action + ": " + callText(row).split("\n")[0].slice(0, 100), event, expect });
};
el("save").addEventListener("click", () => download("replayed.yaml", "# Replayed calls.\ncases:\n" + [...new Set(shown.map((at) => asCase(rows[at])))].join("\n") + "\n"));
el("export").addEventListener("click", () => download("replay.json", JSON.stringify(shown.map((at) => rows[at]), null, 2)));
el("theme").addEventListener("click", () => {
  const root = document.documentElement;
  const isDark = (root.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  root.dataset.theme = isDark ? "light" : "dark";
});
for (const button of document.querySelectorAll(".tabs button"))
  button.addEventListener("click", () => {
    chosen = button.dataset.would;
    for (const other of document.querySelectorAll(".tabs button")) other.setAttribute("aria-pressed", String(other === button));
    search();
  });
let waiting;
el("search").addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(search, 80); });
el("list").addEventListener("scroll", () => requestAnimationFrame(draw), { passive: true });
addEventListener("resize", draw);
// A link can name what to look for.
const linked = decodeURIComponent(location.hash.slice(1));
el("search").value = linked;
plot();
if (linked === "") draw();
else search();
`;
