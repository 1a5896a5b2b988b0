import { PACKAGE_VERSION } from "../../../node/package-version.ts";
import { ageText } from "../../../terminal/age.ts";
import type { Screen } from "../../command-line/screen/screen.ts";
import {
  columns,
  counted,
  cut,
  cutWords,
  dayName,
  harmlessLine,
  padded,
} from "../../command-line/screen/text.ts";
import type { AgentFacts, Facts } from "./facts.ts";

interface StartLine {
  readonly mark: "●" | "✓" | "✗" | "·";
  readonly colour?: "yellow" | "red" | "green";
  readonly title: string;
  readonly text: string;
  readonly next?: string;
}

const NARROWEST_TEXT = 12;

/** `Tenterhook 0.2.0    ~/code/shop`. */
export function headLine(folder: string, { width, paint }: Screen): string {
  const name = `Tenterhook ${PACKAGE_VERSION}`;
  const room = (Number.isFinite(width) ? width : 78) - 4 - columns(name);
  // The end of a path says most.
  const place = columns(folder) <= room ? folder : `…${folder.slice(1 - room)}`;
  return `  ${paint.bold(name)}  ${paint.dim(padded(place, room, true))}`;
}

export function unguardedLines({ agents, unguarded, hooks }: Facts, { width }: Screen): readonly string[] {
  const found = [
    ...agents.map(({ title, version = "" }) => `${title} ${version}`.trim()),
    ...unguarded.map((title) => `${title}, which nobody can guard`),
  ].join("   ");
  const own = agents.filter(({ own_hooks }) => own_hooks > 0);
  const rest = own.length < agents.length && own.length > 0 ? ", none in the others" : "";
  const theirs = own.map(({ own_hooks, title }) => `${own_hooks} of yours in ${title}'s settings`).join(", ");
  const room = width - 10;
  return [
    `  Found   ${cut(found || "no agent on this machine", room)}`,
    ...(agents.length === 0
      ? []
      : [`  Hooks   ${cut(theirs === "" ? "none yet" : `${theirs}${rest}`, room)}`]),
    "",
    hooks.untrusted > 0
      ? `  ${counted(hooks.untrusted, "hook")} of this project ${hooks.untrusted === 1 ? "is" : "are"} not trusted yet, so nothing guards it.`
      : "  Nothing guards this project yet.",
  ];
}

export function stateLines(facts: Facts, screen: Screen, now: number): readonly string[] {
  const { paint } = screen;
  const rows = startLines(facts, now);
  const wide = Math.max(...rows.map(({ title }) => columns(title)));
  const width = Number.isFinite(screen.width) ? screen.width : 100;
  return rows.map(({ mark, colour, title, text, next = "" }) => {
    const room = Math.max(NARROWEST_TEXT, width - 8 - wide - (next === "" ? 0 : columns(next) + 2));
    const shown = cutWords(harmlessLine(text), room);
    const start = `  ${colour === undefined ? mark : paint[colour](mark)}  ${padded(title, wide)}   ${shown}`;
    const gap = " ".repeat(Math.max(2, width - 8 - wide - columns(shown) - columns(next)));
    return next === "" ? start.trimEnd() : `${start}${gap}${paint.dim(next)}`;
  });
}

function startLines(facts: Facts, now: number): readonly StartLine[] {
  const { hooks, agents, unguarded, waiting, away, week } = facts;
  const { in_force, untrusted, gone, groups, problem } = hooks;
  const said = groups.map(({ name, count, pack }) => (pack ? name : `${count} of the ${name}`)).join(", ");
  const lines: StartLine[] = [];
  const wrong = { mark: "✗", colour: "red" } as const;
  const waits = { mark: "●", colour: "yellow" } as const;
  if (problem === undefined)
    lines.push({ mark: "●", title: `${counted(in_force, "hook")} in force`, text: said });
  else lines.push({ ...wrong, title: "configuration", text: problem, next: "tenterhook check" });
  if (gone !== undefined) {
    const text = "every gate refuses until they are back or you accept it";
    lines.push({ ...wrong, title: `${gone} trusted, gone`, text, next: "tenterhook trust" });
  }
  if (untrusted > 0) {
    const title = `${untrusted} not trusted`;
    lines.push({ ...wrong, title, text: "they do not run", next: "tenterhook trust" });
  }
  lines.push(...agentLines(agents, now));
  if (unguarded.length > 0)
    lines.push({ ...wrong, title: unguarded.join(", "), text: "not guarded", next: "tenterhook check" });
  const lifted = agents.filter(({ lifts }) => lifts.length > 0);
  const [lift, ...more] = lifted.flatMap(({ lifts }) => lifts);
  if (lift !== undefined) {
    const title =
      more.length === 0 ? lifted.map((one) => one.title).join() : `${more.length + 1} ways past your hooks`;
    const text = more.length === 0 ? lift : `in ${lifted.map((one) => one.title).join(", ")}`;
    lines.push({ ...waits, title, text, next: "tenterhook check" });
  }
  if (waiting.length > 0) {
    const title = `${counted(waiting.length, "agent")} wait${waiting.length === 1 ? "s" : ""} for you`;
    const text = waiting.map(({ agent, since }) => `${agent} ${ageText(since, now)}`).join(", ");
    lines.push({ ...waits, title, text, next: "tenterhook agents -w" });
  }
  if (away !== undefined) {
    const text = `since ${ageText(away.since, now)}: questions wait for an answer from elsewhere`;
    lines.push({ ...waits, title: "you are away", text, next: "tenterhook back" });
  }
  const { calls, stopped, asked } = week;
  lines.push({
    mark: "·",
    title: "this week",
    text:
      calls === 0
        ? "nothing decided yet"
        : `${calls.toLocaleString("en")} calls, ${stopped} stopped, ${asked} asked`,
    next: calls === 0 ? 'tenterhook explain "rm -rf ~"' : "tenterhook log --stats",
  });
  return lines;
}

/** Agents of one kind share a line. */
function agentLines(agents: readonly AgentFacts[], now: number): readonly StartLine[] {
  const titles = (those: readonly AgentFacts[]): string => those.map(({ title }) => title).join(", ");
  const proven = agents.filter((one) => one.installed && one.proven?.obeys === true);
  const last = proven.map((one) => one.proven?.time ?? "").sort()[0];
  const others = agents.filter((one) => !proven.includes(one));
  const lines: StartLine[] = [];
  if (last !== undefined) {
    const text = `proven ${dayName(last, now).toLowerCase()}`;
    lines.push({ mark: "✓", colour: "green", title: titles(proven), text });
  }
  for (const { text, command, has } of PROBLEMS) {
    const those = others.filter(has);
    if (those.length === 0) continue;
    const isMany = those.length > 2;
    const title = isMany ? `${those.length} agents` : titles(those);
    // All that are installed are proven together.
    const names = command === "prove" && isMany ? [] : those.map(({ name }) => name);
    const next = ["tenterhook", command, ...names].join(" ");
    lines.push({ mark: "✗", colour: "red", title, text: isMany ? `${text}: ${titles(those)}` : text, next });
  }
  return lines;
}

const PROBLEMS: readonly {
  readonly text: string;
  readonly command: string;
  readonly has: (agent: AgentFacts) => boolean;
}[] = [
  { text: "not installed", command: "install", has: ({ installed }) => !installed },
  {
    text: "never proven",
    command: "prove",
    has: ({ installed, proven }) => installed && proven === undefined,
  },
  {
    text: "did not obey",
    command: "prove",
    has: ({ installed, proven }) => installed && proven !== undefined,
  },
];
