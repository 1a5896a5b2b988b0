import type { TrustItem, TrustReview } from "../../config.ts";
import { lineDiff } from "../../node/diff.ts";
import type { Invocation } from "../command-line/command.ts";
import type { Screen } from "../command-line/screen/screen.ts";
import { counted, harmless, harmlessName, shortPath } from "../command-line/screen/text.ts";

/** A terminal shows the beginning of a longer program; a configuration is never cut. */
const MOST_LINES = 200;

const MARKS = { new: "+", changed: "~", removed: "-", trusted: " " } as const;

export function heading({ state, name }: TrustItem, { screen }: Invocation): string {
  const { bold, dim, green, red, yellow } = screen.paint;
  const colour = { new: green, changed: yellow, removed: red, trusted: dim }[state];
  return `${colour(`${MARKS[state]} ${state.padEnd(7)}`)} ${bold(harmlessName(name))}`;
}

/** Shows everything that is not trusted yet in full: the user must have seen what takes effect. */
export function showReview({ root, state, problem, items }: TrustReview, invocation: Invocation): void {
  const { screen, cwd } = invocation;
  const place = shortPath(root, cwd);
  const open = items.filter((item) => item.state !== "trusted");
  if (problem !== undefined) screen.tell(harmless(problem));
  if (open.length === 0) {
    screen.print(
      state === "nothing" ? `Nothing in ${place} needs trust.` : `Everything in ${place} is trusted.`,
    );
    return;
  }
  screen.print(screen.paint.bold(place), "");
  for (const item of open) {
    screen.print(heading(item, invocation));
    if (item.problem !== undefined) screen.print(`    ${screen.paint.red(`it ${item.problem}`)}`);
    showItem(item, screen);
    screen.print("");
  }
}

/** Says what became of items after the user has agreed. */
export function showTrusted(open: readonly TrustItem[], { print, tell, paint }: Screen): void {
  const refused = open.filter(({ problem }) => problem !== undefined);
  const gone = open.filter(({ state }) => state === "removed").length;
  const trusted = open.length - refused.length - gone;
  if (trusted > 0 || gone === 0) print(paint.green(`Trusted: ${counted(trusted, "file")}.`));
  if (gone > 0)
    print(paint.green(`Accepted: ${counted(gone, "file")} ${gone === 1 ? "was" : "were"} taken out.`));
  for (const { name, problem } of refused) tell(`${harmlessName(name)} can't be trusted: it ${problem}.`);
}

function showItem(item: TrustItem, { print, paint, width }: Screen): void {
  const text = harmless(item.text).trimEnd();
  if (item.before !== undefined) {
    const lines = lineDiff(harmless(item.before).trimEnd(), text);
    if (lines.length === 0) print(paint.dim("    (what has changed can't be shown as text)"));
    const colours = { "-": paint.red, "+": paint.green, " ": paint.dim, "…": paint.dim };
    for (const { mark, text: line } of lines) print(colours[mark](`  ${mark} ${line}`.trimEnd()));
    return;
  }
  if (item.state === "removed") return;
  const lines = text.split("\n");
  const most = item.kind === "program" && Number.isFinite(width) ? MOST_LINES : lines.length;
  for (const line of lines.slice(0, most)) print(paint.dim(`    ${line}`.trimEnd()));
  if (lines.length > most)
    print(
      paint.yellow(`    … ${lines.length - most} more lines, not shown here: see ${harmlessName(item.file)}`),
    );
}
