import { isAbsolute } from "node:path";
import { loadConfig } from "../../../config.ts";
import type { CommandRun } from "../../command-line/command.ts";
import { type Block, paragraph } from "../../command-line/screen/report.ts";
import {
  bold,
  columns,
  counted,
  cut,
  dim,
  green,
  harmlessLine,
  padded,
  red,
  shortPath,
} from "../../command-line/screen/text.ts";
import { goneText } from "../../configured-hooks/gone-text.ts";
import { reachableHere } from "./reach/find.ts";
import { type Guarded, guardOf, helpfulPacks, rulesOf } from "./reach/guarded.ts";

const MOST_NAMED = 3;
const MARKS = { deny: "✓ denied", ask: "✓ asks", open: "✗ open" } as const;

/** Things of a kind with the same answer: one line of the screen. */
interface Line {
  readonly access: Guarded["access"];
  readonly kind: string;
  readonly answer: Guarded["answer"];
  readonly hook: string;
  readonly items: string;
}

export const run: CommandRun = async (invocation) => {
  const { cwd, environment, signal } = invocation;
  const [found, config] = await Promise.all([
    reachableHere(invocation),
    loadConfig({ cwd, environment, signal }),
  ]);
  const hooks = await rulesOf(config);
  const things: Guarded[] = [];
  try {
    for (const thing of found) things.push(await guardOf(thing, hooks, cwd, signal));
  } finally {
    await hooks.close();
  }
  const open = things.filter(({ answer }) => answer === "open");
  const used = new Set(config.definitions.filter(({ enabled }) => enabled).map(({ pack }) => pack));
  const packs = await helpfulPacks(
    open.flatMap((thing) => (thing.open === undefined ? [] : [thing.open])),
    used,
    cwd,
  );
  const untrusted =
    config.trust.untrusted.length > 0
      ? "tenterhook trust: hooks that nobody has trusted refuse every call they are asked about."
      : undefined;
  const next =
    goneText(config.trust, cwd) ?? untrusted ?? nextStep(open.length, packs, config.files.length > 0);
  const counts = {
    read: things.filter(({ access }) => access === "read").length,
    destroy: things.filter(({ access }) => access === "destroy").length,
    guarded: things.length - open.length,
    open: open.length,
  };
  return {
    json: { counts, things, next },
    blocks: [
      `  An agent here could read ${counted(counts.read, "thing")} and destroy ${counts.destroy}: ${counts.guarded} guarded, ${counts.open} open.`,
      thingsBlock(linesOf(things, cwd)),
      "",
      paragraph(harmlessLine(next)),
    ],
  };
};

function thingsBlock(lines: readonly Line[]): Block {
  const widest = (texts: readonly string[]): number => Math.max(0, ...texts.map(columns));
  const [kinds, rules] = [widest(lines.map(({ kind }) => kind)), widest(lines.map(({ hook }) => hook))];
  const most = widest(lines.map(({ items }) => items));
  return ({ width }) => {
    const room = Math.max(12, Math.min(most, width - kinds - rules - 16));
    return (["read", "destroy"] as const).flatMap((access) => {
      const group = lines
        .filter((line) => line.access === access)
        .map(({ kind, answer, hook, items }) => {
          const mark = (answer === "open" ? red : green)(padded(MARKS[answer], 8));
          const text = padded(cut(items, room), room);
          return `  ${mark}  ${padded(kind, kinds)}  ${text}  ${dim(hook)}`.trimEnd();
        });
      return group.length === 0 ? [] : ["", `  ${bold(access === "read" ? "Read" : "Destroy")}`, ...group];
    });
  };
}

function linesOf(things: readonly Guarded[], cwd: string): readonly Line[] {
  const groups = new Map<string, Line & { readonly names: string[] }>();
  for (const { access, kind, answer, item, rule, hook: by = "" } of things) {
    const hook = rule ?? by;
    const key = JSON.stringify([kind, answer, hook]);
    const group = groups.get(key) ?? { access, kind, answer, hook, items: "", names: [] };
    group.names.push(isAbsolute(item) ? shortPath(item, cwd) : item);
    groups.set(key, group);
  }
  return [...groups.values()].map(({ names, ...line }) => {
    const rest = names.length - MOST_NAMED;
    const shown = `${names.slice(0, MOST_NAMED).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
    return { ...line, items: harmlessLine(shown) };
  });
}

/** The one command that closes most of what is open. */
function nextStep(open: number, packs: readonly string[], configured: boolean): string {
  if (open === 0) return "tenterhook check shows in which agents these hooks are installed.";
  if (packs.length === 0)
    return "No pack guards the rest: write a rule, or run the agent in a sandbox (tenterhook help handlers).";
  return `tenterhook ${configured ? "add" : "init --pack"} ${packs.join(" ")}`;
}
