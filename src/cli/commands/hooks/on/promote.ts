import { readFileSync } from "node:fs";
import { withoutShadow } from "../../../../config/edit/edits.ts";
import { type ConfigDefinition, loadConfig } from "../../../../config.ts";
import { TenterhookError } from "../../../../core/base/errors.ts";
import { isRecord } from "../../../../core/base/json.ts";
import { closing, openActivity } from "../../../../journal/activity/open-activity.ts";
import { projectOf } from "../../../../journal/projects.ts";
import type { JournalRecord } from "../../../../journal/record.ts";
import { finalAction } from "../../../../journal/verdict.ts";
import { mayGoOn } from "../../../command-line/ask-line.ts";
import { type Invocation, type Outcome, textOption } from "../../../command-line/command.ts";
import type { Block } from "../../../command-line/screen/report.ts";
import {
  ago,
  bold,
  counted,
  cut,
  dim,
  harmlessLine,
  padded,
  shortPath,
} from "../../../command-line/screen/text.ts";
import { sinceTime } from "../../../command-line/times.ts";
import { keepTrusted, writeChecked } from "../../../configured-hooks/write-checked.ts";
import { asItWas } from "../../../integrations/as-it-was.ts";

const MOST_SHOWN = 10;

/** A call that the shadow would have changed. */
interface Evidence {
  readonly time: string;
  readonly call: string;
  readonly hook: string;
  readonly would: string;
  /** What became of it. */
  readonly action: string;
}

/** The hooks of this name, or of the pack of this name, that only record what they would do. */
export function shadowsNamed(
  name: string,
  definitions: readonly ConfigDefinition[],
): readonly ConfigDefinition[] {
  const named = definitions.filter((one) => [one.name, one.definition.name, one.pack].includes(name));
  return named.filter(isShadow);
}

/** Shows what shadows would have done, and puts them in force when the user agrees. */
export async function promote(
  name: string,
  shadows: readonly ConfigDefinition[],
  invocation: Invocation,
): Promise<Outcome> {
  const { screen, json, cwd, environment, signal } = invocation;
  const since = sinceTime(textOption(invocation, "since") ?? "30d");
  const found = await evidenceOf(new Set(shadows.map((hook) => hook.name)), since, invocation);
  const { file = "" } = shadows[0]?.origin ?? {};
  if (!json) screen.print(evidenceBlock(name, found));
  if (!(await mayGoOn(`Put ${name} in force?`, invocation))) return 1;
  const before = readFileSync(file, "utf8");
  const after = withoutShadow(file, before, name);
  const places = { cwd, environment, signal };
  const backup = await keepTrusted(file, after, places, () =>
    writeChecked({ file, before, after }, invocation),
  );
  const now = await loadConfig(places);
  const left = now.definitions.find((one) => isShadow(one) && shadows.some((hook) => hook.name === one.name));
  if (left !== undefined)
    throw new TenterhookError(
      "write_failed",
      `${name} is still in shadow mode: ${file} as a whole is, or a file that uses it.`,
      {
        hint: "Take mode: shadow from hooks there, or from the item of hooks.use that names the file.",
      },
    );
  return {
    json: { promoted: name, file, backup, evidence: found },
    blocks: [`  ${name} is in force: ${shortPath(file, cwd)}.`, asItWas(invocation, backup)],
  };
}

/** True for a hook that is a shadow, or has a rule that is one. */
function isShadow({ definition }: ConfigDefinition): boolean {
  const { mode, rules, inline_rules } = { rules: undefined, inline_rules: undefined, ...definition };
  const listed: readonly unknown[] = Array.isArray(inline_rules) ? inline_rules : [];
  return (
    mode === "shadow" ||
    (typeof rules === "string" && /->\s*shadow\s/.test(rules)) ||
    listed.some((rule) => isRecord(rule) && rule.mode === "shadow")
  );
}

/** The calls of this project that these hooks would have changed, the newest first. */
async function evidenceOf(
  hooks: ReadonlySet<string>,
  since: Date,
  { cwd, environment }: Invocation,
): Promise<readonly Evidence[]> {
  const found: Evidence[] = [];
  const { activity } = await openActivity(environment);
  const records = closing(activity, () => [
    ...activity.records({ since, project: projectOf(cwd), all: true }),
  ]);
  for (const { record } of records)
    for (const { name, would } of record.runs) {
      if (would === undefined || !hooks.has(name)) continue;
      const action = record.type === "run" ? "unknown" : finalAction(record);
      const { time } = record;
      found.push({ time, call: callOf(record), hook: name, would: wouldText(would), action });
    }
  return found;
}

function wouldText({ action, ...more }: { readonly action: string }): string {
  const other = Object.keys(more).find((key) => key !== "reason" && key !== "rule");
  return action === "continue" ? (other ?? "continue").replaceAll("_", " ") : action;
}

function callOf({ event: { hook_event_name, tool_name, tool_input } }: JournalRecord): string {
  const command = isRecord(tool_input) ? (tool_input.command ?? tool_input.file_path) : undefined;
  if (typeof command === "string") return command;
  return [hook_event_name, tool_name].filter((part) => typeof part === "string").join(" ");
}

function evidenceBlock(name: string, found: readonly Evidence[]): Block {
  if (found.length === 0) return [`  ${bold(name)} would have changed nothing so far.`, ""];
  const counts = new Map<string, number>();
  for (const { would } of found) counts.set(would, (counts.get(would) ?? 0) + 1);
  const parts = [...counts].map(([would, count]) => `${would} ${count}`);
  return [
    `  ${bold(name)} would have changed ${counted(found.length, "call")}: ${parts.join(", ")}.`,
    "",
    ({ width }) =>
      found.slice(0, MOST_SHOWN).map(({ time, call, would, action }) => {
        const line = `  ${padded(would, 8)}  ${padded(ago(time), 8)}  ${harmlessLine(call)}`;
        return `${cut(line, width - 20)}  ${dim(action === "continue" ? "went on" : action)}`;
      }),
    found.length > MOST_SHOWN && dim(`  and ${found.length - MOST_SHOWN} more`),
    "",
  ];
}
