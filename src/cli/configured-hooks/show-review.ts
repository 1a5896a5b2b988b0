import type { TrustItem, TrustReview } from "../../config.ts";
import { lineDiff } from "../../node/diff.ts";
import type { Invocation } from "../command-line/command.ts";
import type { Block } from "../command-line/screen/report.ts";
import type { Screen } from "../command-line/screen/screen.ts";
import {
  bold,
  counted,
  dim,
  green,
  harmless,
  harmlessName,
  red,
  shortPath,
  yellow,
} from "../command-line/screen/text.ts";

/** A terminal shows the beginning of a longer program; a configuration is never cut. */
const MOST_LINES = 200;

const MARKS = { new: "+", changed: "~", removed: "-", trusted: " " } as const;

export function heading({ state, name }: TrustItem): string {
  const colour = { new: green, changed: yellow, removed: red, trusted: dim }[state];
  return `${colour(`${MARKS[state]} ${state.padEnd(7)}`)} ${bold(harmlessName(name))}`;
}

/** Shows everything that is not trusted yet in full: the user must have seen what takes effect. */
export function showReview({ root, state, problem, items }: TrustReview, invocation: Invocation): void {
  const { screen, cwd } = invocation;
  const place = shortPath(root, cwd);
  const open = items.filter((item) => item.state !== "trusted");
  if (problem !== undefined) screen.tell(harmless(problem));
  if (open.length === 0)
    screen.print(
      state === "nothing" ? `Nothing in ${place} needs trust.` : `Everything in ${place} is trusted.`,
    );
  else
    screen.print(
      bold(place),
      "",
      ...open.flatMap((item) => [
        heading(item),
        item.problem !== undefined && `    ${red(`it ${item.problem}`)}`,
        itemBlock(item),
        "",
      ]),
    );
}

/** Says what became of items after the user has agreed. */
export function showTrusted(open: readonly TrustItem[], { print, tell }: Screen): void {
  const refused = open.filter(({ problem }) => problem !== undefined);
  const gone = open.filter(({ state }) => state === "removed").length;
  const trusted = open.length - refused.length - gone;
  if (trusted > 0 || gone === 0) print(green(`Trusted: ${counted(trusted, "file")}.`));
  if (gone > 0) print(green(`Accepted: ${counted(gone, "file")} ${gone === 1 ? "was" : "were"} taken out.`));
  tell(...refused.map(({ name, problem }) => `${harmlessName(name)} can't be trusted: it ${problem}.`));
}

const COLOURS = { "-": red, "+": green, " ": dim, "…": dim };

function itemBlock({ text, before, state, kind, file }: TrustItem): Block {
  const after = harmless(text).trimEnd();
  if (before !== undefined) {
    const lines = lineDiff(harmless(before).trimEnd(), after);
    if (lines.length === 0) return dim("    (what has changed can't be shown as text)");
    return () => lines.map(({ mark, text: line }) => COLOURS[mark](`  ${mark} ${line}`.trimEnd()));
  }
  const lines = state === "removed" ? [] : after.split("\n");
  return ({ width }) => {
    const most = kind === "program" && Number.isFinite(width) ? MOST_LINES : lines.length;
    const more = `    … ${lines.length - most} more lines, not shown here: see ${harmlessName(file)}`;
    return [
      ...lines.slice(0, most).map((line) => dim(`    ${line}`.trimEnd())),
      ...(lines.length > most ? [yellow(more)] : []),
    ];
  };
}
