import { NOT_TRUSTED } from "../../../core/base/untrusted.ts";
import { AGENT_NAMES } from "../../../core/events/agent-names.ts";
import { PERMISSIONS } from "../../../install/judgement.ts";
import { PACKAGE_VERSION } from "../../../node/package-version.ts";
import { ageText } from "../../../terminal/age.ts";
import { COLOURS } from "../../../terminal/paint.ts";
import { type Block, paragraph } from "../../command-line/screen/report.ts";
import {
  bold,
  columns,
  counted,
  cut,
  dim,
  hanging,
  harmlessLine,
  padded,
} from "../../command-line/screen/text.ts";
import { type GuardRow, guardRows } from "../../configured-hooks/guard.ts";
import { USUAL_PACKS } from "../../configured-hooks/starter.ts";
import type { Facts } from "./facts.ts";

interface StartLine {
  readonly mark: "●" | "○" | "✓" | "✗" | "·";
  readonly colour?: "yellow" | "red" | "green";
  readonly title: string;
  readonly text: string;
  readonly next?: string;
}

const NARROWEST_TEXT = 12;

/** `Tenterhook 0.2.0    ~/code/shop`. */
export function headLine(folder: string): Block {
  const name = `Tenterhook ${PACKAGE_VERSION}`;
  return ({ width }) => {
    const room = (Number.isFinite(width) ? width : 78) - 4 - columns(name);
    // The end of a path says most.
    const place = columns(folder) <= room ? folder : `…${folder.slice(1 - room)}`;
    return [`  ${bold(name)}  ${dim(padded(place, room, true))}`];
  };
}

export function unguardedBlock({ agents, unguarded, guard, sentence }: Facts): Block {
  const found = [
    ...agents.map(({ title, version = "" }) => `${title} ${version}`.trim()),
    ...unguarded.map((title) => `${title}, which nobody can guard`),
  ].join("   ");
  const own = agents.filter(({ own_hooks }) => own_hooks > 0);
  const rest = own.length < agents.length && own.length > 0 ? ", none in the others" : "";
  const theirs = own.map(({ own_hooks, title }) => `${own_hooks} of yours in ${title}'s settings`).join(", ");
  const line =
    (title: string, text: string): Block =>
    ({ width }) => [`  ${title}   ${cut(text, width - 10)}`];
  return [
    found === "" ? paragraph(NO_AGENT) : line("Found", found),
    agents.length > 0 &&
      (guard.hooks.length === 0 || theirs !== "") &&
      line("Hooks", theirs === "" ? "none yet" : `${theirs}${rest}`),
    agents.length > 0 && guard.hooks.length === 0 && line("Packs", USUAL_PACKS.join(", ")),
    "",
    paragraph(guard.hooks.length > 0 ? sentence : "Nothing guards this project yet."),
  ];
}

const NO_AGENT = `No agent found. Tenterhook works with Claude Code, Codex, Gemini CLI and ${AGENT_NAMES.length - 3} more; install one, or use its own: tenterhook run`;

export function stateLines(facts: Facts, cwd: string, now: number): Block {
  const lines = startLines(facts, cwd, now);
  const wide = Math.max(...lines.map(({ title }) => columns(title)));
  const margin = wide + 8;
  return (size) => {
    const width = Number.isFinite(size.width) ? size.width : 100;
    return lines.flatMap(({ mark, colour, title, text, next = "" }) => {
      const start = `  ${colour === undefined ? mark : COLOURS[colour](mark)}  ${padded(title, wide)}`;
      const said = hanging(start, harmlessLine(text), Math.max(width, margin + NARROWEST_TEXT), margin).split(
        "\n",
      );
      if (next === "") return said.map((line) => line.trimEnd());
      // What is said comes first: the command goes below where there is no room beside it.
      const last = said.at(-1) ?? "";
      const gap = width - columns(last) - columns(next);
      return gap >= 2
        ? [...said.slice(0, -1), `${last}${" ".repeat(gap)}${dim(next)}`]
        : [...said, padded(dim(next), width, true)];
    });
  };
}

function startLines(facts: Facts, cwd: string, now: number): readonly StartLine[] {
  const { guard, agents, unguarded, waiting, away, week } = facts;
  const rows = guardRows(guard, cwd, now);
  const lines: StartLine[] = [...hookLine(facts), ...programLine(facts), ...rowLines(rows)];
  const wrong = { mark: "✗", colour: "red" } as const;
  const waits = { mark: "●", colour: "yellow" } as const;
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

function hookLine({ hooks, guard }: Facts): readonly StartLine[] {
  if (guard.hooks.includes(PERMISSIONS))
    return [{ mark: "●", title: "permissions", text: "no other hooks decide" }];
  const { in_force, ready, groups } = hooks;
  if (ready === 0) return [];
  const names = groups.map(({ name, count, pack }) => (pack ? name : `${count} of the ${name}`)).join(", ");
  const number =
    in_force === 0 || in_force === ready
      ? counted(ready, "hook")
      : `${in_force} of ${counted(ready, "hook")}`;
  return in_force > 0
    ? [{ mark: "●", title: `${number} in force`, text: names }]
    : [{ mark: "○", title: `${number} ready`, text: "no agent calls them yet" }];
}

/** What the built-in agent runs of `.agent/hook.toml`. */
function programLine({ turn_hooks: programs = [] }: Facts): readonly StartLine[] {
  if (programs.length === 0) return [];
  const title = counted(programs.length, "turn program");
  const isTrusted = programs.every(({ trusted }) => trusted);
  const file = "of .agent/hook.toml";
  return isTrusted
    ? [{ mark: "●", title, text: `${file}, for the built-in agent` }]
    : [
        {
          mark: "✗",
          colour: "red",
          title,
          text: `${file}, ${NOT_TRUSTED}`,
          next: "tenterhook trust",
        },
      ];
}

/** Rows that say the same of several share a line. */
function rowLines(rows: readonly GuardRow[]): readonly StartLine[] {
  const keys = new Set(rows.map(keyOf));
  return [...keys].flatMap((key): readonly StartLine[] => {
    const same = rows.filter((row) => keyOf(row) === key);
    const [first] = same;
    if (first === undefined) return [];
    const { text, fix = "" } = first;
    const names = same.map(({ about }) => about).join(", ");
    const commands = same.map((row) => (row.fix ?? "").split(" ").slice(2).join(" "));
    const isMany = same.length > 2;
    const next = isMany
      ? `${commandOf(fix)} --all`.replace("prove --all", "prove")
      : [commandOf(fix), ...new Set(commands)].join(" ").trimEnd();
    return [
      {
        ...markOf(first),
        title: isMany ? `${same.length} agents` : names,
        text: isMany ? `${text}: ${names}` : text,
        ...(fix === "" ? {} : { next }),
      },
    ];
  });
}

function keyOf({ kind, text, fix = "" }: GuardRow): string {
  return [kind, text, commandOf(fix)].join("\n");
}

/** `tenterhook install` of `tenterhook install codex`. */
function commandOf(fix: string): string {
  return fix.split(" ").slice(0, 2).join(" ");
}

function markOf({ kind, fix }: GuardRow): Pick<StartLine, "mark" | "colour"> {
  if (kind !== "guarded") return { mark: "✗", colour: "red" };
  // One that was not proven has a way to do that.
  return fix === undefined ? { mark: "✓", colour: "green" } : { mark: "·" };
}
