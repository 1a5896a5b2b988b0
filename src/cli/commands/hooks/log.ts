import { setTimeout as sleep } from "node:timers/promises";
import { isRecord } from "../../../core/base/json.ts";
import type { JournalRecord } from "../../../journal/record.ts";
import { readJournal } from "../../../project.ts";
import {
  type CommandRun,
  flagOption,
  type Invocation,
  numberOption,
  textOption,
} from "../../command-line/command.ts";
import { cut, hanging, harmless, harmlessName, padded, wrapped } from "../../command-line/screen/text.ts";
import { sinceTime } from "../../command-line/since.ts";
import { recordsOfProject } from "../../configured-hooks/recorded-projects.ts";

const POLL_MILLISECONDS = 300;
const USUAL_LINES = 50;
const MOST_OF_RULE = 300;

export const run: CommandRun = async (invocation) => {
  const { signal } = invocation;
  let since = sinceTime(textOption(invocation, "since") ?? "7d");
  const most = numberOption(invocation, "lines") ?? USUAL_LINES;
  const printed = new Set<string>();
  const fresh = async (): Promise<readonly JournalRecord[]> => {
    const found: JournalRecord[] = [];
    for await (const record of recordsFor(invocation, since)) {
      const key = `${record.session_id} ${record.event_id} ${record.type}`;
      if (printed.has(key)) continue;
      printed.add(key);
      found.push(record);
    }
    return found.sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0));
  };
  const first = await fresh();
  show(first.slice(-most), invocation);
  if (!flagOption(invocation, "follow")) {
    if (first.length === 0 && !invocation.json)
      invocation.screen.print(
        `Nothing to show${flagOption(invocation, "allProjects") ? "" : " of this project. Every project: --all-projects"}. Decisions without anything to say: --all.`,
      );
    return undefined;
  }
  while (!signal.aborted) {
    // Other processes may write what happened a little earlier.
    since = new Date(Date.now() - 60_000);
    await sleep(POLL_MILLISECONDS, undefined, { signal }).catch(() => undefined);
    if (!signal.aborted) show(await fresh(), invocation);
  }
};

async function* recordsFor(invocation: Invocation, since: Date): AsyncGenerator<JournalRecord> {
  const { environment, signal, cwd } = invocation;
  const hook = textOption(invocation, "hook");
  const agent = textOption(invocation, "agent");
  const verdict = textOption(invocation, "verdict");
  const all = flagOption(invocation, "all");
  const recorded = readJournal({ environment, since, signal });
  const everywhere = flagOption(invocation, "allProjects");
  for await (const record of everywhere ? recorded : recordsOfProject(recorded, cwd)) {
    const { event, decision, runs } = record;
    if (agent !== undefined && event.host !== agent) continue;
    if (hook !== undefined && !runs.some((one) => one.name === hook && (all || hasResult(one)))) continue;
    const failed = runs.some(({ failure }) => failure !== undefined);
    if (verdict !== undefined && (verdict === "failed" ? !failed : decision?.action !== verdict)) continue;
    if (all || runs.some(hasResult)) yield record;
  }
}

function hasResult({ outcome, failure }: JournalRecord["runs"][number]): boolean {
  return outcome !== undefined || failure !== undefined;
}

function show(records: readonly JournalRecord[], { screen, json }: Invocation): void {
  const { bold, dim, green, red, yellow } = screen.paint;
  const colours: Readonly<Record<string, (text: string) => string>> = {
    deny: red,
    ask: yellow,
    allow: green,
  };
  for (const record of records) {
    if (json) {
      screen.print(JSON.stringify(record));
      continue;
    }
    const { time, event, decision, runs } = record;
    const action = decision?.action ?? "later";
    const colour = colours[action] ?? dim;
    const what = [event.hook_event_name, event.tool_name, subjectOf(event)].filter(
      (part) => typeof part === "string",
    );
    const title = `${dim(time.slice(0, 19).replace("T", " "))}  ${colour(padded(action, 8))}  ${padded(String(event.host), 8)}`;
    screen.print(`${title}  ${bold(cut(harmless(what.join(" ")), Math.max(20, screen.width - 42)))}`);
    for (const { name, outcome, failure, rule } of runs.filter(hasResult)) {
      const outcomeText = [outcome?.action, outcome?.reason].filter((part) => part !== undefined).join(": ");
      const why = harmless(
        failure === undefined ? outcomeText : `failed (${failure.kind}): ${failure.message}`,
      );
      const colouredWhy = failure === undefined ? why : red(why);
      screen.print(hanging("   ", `${harmlessName(name)}  ${colouredWhy}`, screen.width, 4));
      if (rule !== undefined)
        screen.print(
          dim(
            wrapped(
              `rule ${rule.index + 1}: ${harmless(cut(rule.source, MOST_OF_RULE))}`,
              screen.width,
              "      ",
            ),
          ),
        );
    }
  }
}

/** The command, file or address that a call is about. */
function subjectOf({ tool_input: input, prompt }: JournalRecord["event"]): unknown {
  if (!isRecord(input)) return prompt;
  return input.command ?? input.file_path ?? input.url ?? input.path ?? JSON.stringify(input);
}
