import { stringify } from "yaml";
import { grantTrust, reviewTrust, revokeTrust, type TrustItem, type TrustReview } from "../config.ts";
import { TenterhookError } from "../core/errors.ts";
import { type CommandRun, flagOption, type Invocation } from "./command.ts";
import { confirm } from "./confirm.ts";
import { lineDiff } from "./screen/line-diff.ts";
import type { Screen } from "./screen/screen.ts";
import { counted, harmless, harmlessName, shortPath } from "./screen/text.ts";

/** Of a longer script a terminal shows the beginning; what a hook's own text says is never cut. */
const MOST_LINES = 200;

/** `tenterhook trust`. */
export const run: CommandRun = async (invocation) => {
  const { screen, json, cwd, environment, signal } = invocation;
  const places = { cwd, environment, signal };
  if (flagOption(invocation, "revoke")) {
    const revoked = await revokeTrust(places);
    if (json) screen.json({ revoked });
    else
      screen.print(
        revoked === 0 ? "Nothing was trusted here." : `No longer trusted: ${counted(revoked, "item")}.`,
      );
    return undefined;
  }
  const review = await reviewTrust(places);
  if (flagOption(invocation, "list")) {
    if (json) screen.json(review);
    else listItems(review, invocation);
    return undefined;
  }
  const open = review.items.filter(({ state }) => state !== "trusted");
  const refused = open.filter(({ problem }) => problem !== undefined);
  if (!json) showReview(review, open, invocation);
  if (open.length === 0) {
    if (json) screen.json({ ...review, granted: 0 });
    return undefined;
  }
  const yes = flagOption(invocation, "yes");
  if (!yes && !json && !screen.interactive)
    throw new TenterhookError(
      "confirmation_needed",
      `${counted(open.length, "item")} of ${review.root} would take effect, and nobody can be asked.`,
    );
  const agreed = yes || (!json && (await confirm("Trust all of this?", invocation)));
  if (agreed) await grantTrust(review, { environment });
  const granted = agreed ? open.length - refused.length : 0;
  const state = granted === open.length ? "trusted" : review.state;
  if (json) screen.json({ ...review, state, granted });
  else {
    screen.print(
      agreed ? screen.paint.green(`Trusted: ${counted(granted, "item")}.`) : "Nothing was trusted.",
    );
    for (const { name, problem } of refused)
      screen.tell(`${harmlessName(name)} can't be trusted: it ${problem}.`);
  }
  return agreed && refused.length === 0 ? undefined : 1;
};

const MARKS = { new: "+", changed: "~", removed: "-", trusted: " " } as const;
const TITLES = {
  definition: "hook",
  key: "key",
  use: "use",
  file: "file",
  agent_hook: ".agent/hook.toml",
} as const;

function heading({ state, kind, name, file, line }: TrustItem, { screen, cwd }: Invocation): string {
  const { bold, dim, green, red, yellow } = screen.paint;
  const colour = { new: green, changed: yellow, removed: red, trusted: dim }[state];
  const place =
    kind === "file" || state === "removed"
      ? ""
      : dim(`  ${harmlessName(shortPath(file, cwd))}${line === undefined ? "" : `:${line}`}`);
  return `${colour(`${MARKS[state]} ${state.padEnd(7)}`)} ${TITLES[kind]} ${bold(harmlessName(name))}${place}`;
}

function showReview(
  { root, state, problem }: TrustReview,
  open: readonly TrustItem[],
  invocation: Invocation,
): void {
  const { screen } = invocation;
  if (problem !== undefined) screen.tell(harmless(problem));
  if (open.length === 0) {
    screen.print(
      state === "nothing" ? `Nothing in ${root} needs trust.` : `Everything in ${root} is trusted.`,
    );
    return;
  }
  screen.print(screen.paint.bold(root), "");
  for (const item of open) {
    screen.print(heading(item, invocation));
    if (item.problem !== undefined) screen.print(`    ${screen.paint.red(`it ${item.problem}`)}`);
    showItem(item, screen);
    screen.print("");
  }
}

/** Definitions and keys as they are usually written; they are kept as JSON. */
function readable({ kind }: TrustItem, text: string): string {
  if (kind === "file" || kind === "use") return text;
  try {
    return stringify(JSON.parse(text), { lineWidth: 0 });
  } catch {
    return text;
  }
}

function showItem(item: TrustItem, { print, paint, width }: Screen): void {
  const text = harmless(readable(item, item.text)).trimEnd();
  if (item.before !== undefined) {
    const lines = lineDiff(harmless(readable(item, item.before)).trimEnd(), text);
    if (lines.length === 0) print(paint.dim("    (what has changed can't be shown as text)"));
    const colours = { "-": paint.red, "+": paint.green, " ": paint.dim, "…": paint.dim };
    for (const { mark, text: line } of lines) print(colours[mark](`  ${mark} ${line}`.trimEnd()));
    return;
  }
  // A pack says no more than its name.
  if (item.state === "removed" || text === item.name) return;
  const lines = text.split("\n");
  const most = item.kind === "file" && Number.isFinite(width) ? MOST_LINES : lines.length;
  for (const line of lines.slice(0, most)) print(paint.dim(`    ${line}`.trimEnd()));
  if (lines.length > most)
    print(
      paint.yellow(`    … ${lines.length - most} more lines, not shown here: see ${harmlessName(item.file)}`),
    );
}

function listItems({ root, state, items, problem }: TrustReview, invocation: Invocation): void {
  const { screen } = invocation;
  if (problem !== undefined) screen.tell(harmless(problem));
  screen.print(`${screen.paint.bold(root)}  ${state === "nothing" ? "nothing needs trust" : state}`);
  for (const item of items) screen.print(heading(item, invocation));
}
