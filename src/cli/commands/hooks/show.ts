import { existsSync } from "node:fs";
import { isMap, isSeq, parseDocument, stringify } from "yaml";
import { Inputs } from "../../../config/inputs/inputs.ts";
import { filesOfDefinition } from "../../../config/trust/named-files.ts";
import { type ConfigDefinition, ConfigError } from "../../../config.ts";
import { NOT_TRUSTED, TRUST_SHOWS } from "../../../core/base/untrusted.ts";
import { FAILURE_KINDS, type FailureMode } from "../../../core/events/effects.ts";
import { assumedRow } from "../../../core/events/event-table.ts";
import type { Hook } from "../../../core/registration/hook.ts";
import { failureMode } from "../../../core/registration/registered-hook.ts";
import { closing, openActivity } from "../../../journal/activity/open-activity.ts";
import { projectOf } from "../../../journal/projects.ts";
import { saidBy } from "../../../journal/verdict.ts";
import { regularText } from "../../../node/files/regular-file.ts";
import type { JournalRecord } from "../../../project.ts";
import type { PackExample, PackRule } from "../../../rules/packs/pack.ts";
import { PACK_RULES, rulesOfHook } from "../../../rules/packs/packs.ts";
import type { Invocation } from "../../command-line/command.ts";
import { findHook } from "../../command-line/find-by-name.ts";
import { type Report, type Row, rows } from "../../command-line/screen/report.ts";
import { bold, counted, harmless, milliseconds, red, shortPath } from "../../command-line/screen/text.ts";
import { sinceTime } from "../../command-line/times.ts";
import { textAt } from "../../configured-hooks/hook-text.ts";
import {
  recordedName,
  type TurnProgram,
  tableOf,
  turnProgramNamed,
  turnPrograms,
  whenOf,
} from "../../configured-hooks/turn-programs.ts";
import { type HookView, hooksInForce } from "../../configured-hooks/view.ts";

const MOST_RUNS = 5;
const MOST_BYTES = 1_000_000;
const MARGIN = 16;

type RecentRun = ReturnType<typeof runsIn>[number];

/** `tenterhook list NAME`: all of one hook, or of one rule of a pack. */
export async function show(name: string, invocation: Invocation): Promise<Report> {
  const { cwd } = invocation;
  const { hooks, config, stats } = await hooksInForce(invocation, sinceTime("7d"));
  const named = hooks.map((one) => ({ ...one, name: one.view.name }));
  const rule = PACK_RULES.get(name);
  if (rule !== undefined && !named.some((one) => one.name === rule.id))
    return ruleReport(rule, config.definitions);
  const program = turnProgramNamed(name, await turnPrograms(invocation, config));
  if (program !== undefined && !named.some((one) => one.name === name))
    return programReport(program, stats.get(recordedName(program)), invocation);
  if (config.broken !== undefined && !named.some((one) => one.name === name))
    throw new ConfigError(config.broken.problems);
  const { view, hook, defined } = findHook(named, name);
  const policy = policyOf(hook);
  const files = filesOfDefinition(defined.definition, { root: defined.root, inputs: new Inputs() }).map(
    (file) => ({ file, there: existsSync(file) }),
  );
  const recent = await recentRuns(hook.name, invocation);
  const { matcher, timeout, observe, parallel, async, once, recheck } = hook;
  const settings = { timeout, observe, parallel, async, once, recheck };
  const { definition } = defined;
  const more = { matcher, settings, failure_policy: policy, files, definition, recent_runs: recent };
  const { description = "", problem } = view;
  return {
    json: { ...view, ...more },
    blocks: [
      `${bold(harmless(view.name))}  ${harmless(description)}`.trimEnd(),
      rows(MARGIN, [
        ["state", stateOf(view, cwd)],
        ["will fail", view.trusted ? problem : undefined, red],
        ["from", fromOf(view, cwd)],
        ["type", `${view.type}, priority ${view.priority}, timeout ${timeout} s${flagsOf(hook)}`],
        ["events", view.events.join(", ")],
        ...Object.entries(matcher).map(([field, value]): Row => {
          const text = Array.isArray(value) ? value.join(", ") : JSON.stringify(value);
          return [field, typeof value === "string" ? value : text];
        }),
        ...Object.entries(policy).map(
          ([event, modes]): Row => ["on failure", `${event}: ${policyText(modes)}`],
        ),
        ...files.map(({ file, there }): Row => {
          const path = shortPath(file, cwd);
          return there ? ["file", path] : ["file", `${path} is not there`, red];
        }),
        ["last 7 days", didText(view)],
        ...recent.map((one): Row => ["", recentText(one)]),
      ]),
      "",
      harmless(definitionText(defined)),
    ],
  };
}

/** A program of `.agent/hook.toml`. */
async function programReport(
  program: TurnProgram,
  did: Did | undefined,
  invocation: Invocation,
): Promise<Report> {
  const recent = await recentRuns(recordedName(program), invocation);
  const { command, file, trusted } = program;
  return {
    json: { ...program, recent_runs: recent },
    blocks: [
      `${bold(recordedName(program))}  ${whenOf(program)}`,
      rows(MARGIN, [
        ["state", trusted ? "on, trusted" : `${NOT_TRUSTED}: ${TRUST_SHOWS}`],
        ["from", `${shortPath(file, invocation.cwd)}, ${tableOf(program)}`],
        ["program", command.join(" ")],
        ["off", `take [${tableOf(program)}] out of the file`],
        ["last 7 days", didText(did)],
        ...recent.map((one): Row => ["", recentText(one)]),
      ]),
    ],
  };
}

type Did = Parameters<typeof goneOn>[0] &
  Pick<HookView, "runs" | "denials" | "asks" | "failures" | "mean_ms">;

function didText(did: Did | undefined): string {
  if (did === undefined || did.runs === 0) return "never ran";
  const { runs, denials, asks, failures, mean_ms } = did;
  return `in this project ${counted(runs, "run")}, ${counted(denials, "denial")}, ${counted(asks, "question")}, ${goneOn(did)}${counted(failures, "failure")}, ${milliseconds(mean_ms)} on average`;
}

function recentText({ time, event, duration_ms, said }: RecentRun): string {
  return `${time.slice(0, 19).replace("T", " ")}  ${event}  ${milliseconds(duration_ms)}  ${harmless(said)}`;
}

function goneOn({
  keep_goings,
  contexts,
  woulds,
}: Pick<HookView, "keep_goings" | "contexts" | "woulds">): string {
  const parts = [
    keep_goings === 0 ? [] : [`had the agent go on ${counted(keep_goings, "time")}`],
    contexts === 0 ? [] : [`added context ${counted(contexts, "time")}`],
    woulds === 0 ? [] : [`would have acted ${counted(woulds, "time")}`],
  ].flat();
  return parts.map((part) => `${part}, `).join("");
}

function stateOf({ enabled, trusted, gone_files, mode }: HookView, cwd: string): string {
  const on = mode === "shadow" ? "shadow: it only shows what it would do" : "on";
  if (gone_files !== undefined)
    return `not run: ${gone_files.map((file) => shortPath(file, cwd)).join(", ")} is gone; bring it back`;
  return `${enabled ? on : "off"}, ${trusted ? "trusted" : `${NOT_TRUSTED}: ${TRUST_SHOWS}`}`;
}

function fromOf({ scope, file, line, pack }: HookView, cwd: string): string {
  const place = file === undefined ? "" : ` ${shortPath(file, cwd)}:${line ?? 1}`;
  return `${scope}${place}${pack === undefined ? "" : `, pack ${pack}`}`;
}

function flagsOf(hook: Hook): string {
  const flags = [
    hook.observe && "observe",
    hook.parallel && "parallel",
    hook.async && "async",
    hook.once && "once",
    !hook.recheck && "no recheck",
  ].filter((flag) => typeof flag === "string");
  return flags.map((flag) => `, ${flag}`).join("");
}

type Policy = Readonly<Record<string, FailureMode>>;

function policyOf(hook: Hook): Readonly<Record<string, Policy>> {
  return Object.fromEntries(
    hook.events.map((event) => [
      event,
      Object.fromEntries(FAILURE_KINDS.map((kind) => [kind, failureMode(hook, assumedRow(event), kind)])),
    ]),
  );
}

function policyText(policy: Policy): string {
  const modes = [...new Set(Object.values(policy))];
  if (modes.length === 1) return modes.join("");
  const kinds = (mode: FailureMode) => Object.keys(policy).filter((kind) => policy[kind] === mode);
  return modes.map((mode) => `${mode} (${kinds(mode).join(", ")})`).join(", ");
}

async function recentRuns(hook: string, { environment, cwd }: Invocation): Promise<readonly RecentRun[]> {
  const { activity } = await openActivity(environment);
  return closing(activity, () => {
    const recent: RecentRun[] = [];
    const query = { since: sinceTime("7d"), project: projectOf(cwd), hook, all: true };
    for (const { record } of activity.records(query)) {
      recent.push(...runsIn(record, hook));
      if (recent.length >= MOST_RUNS) break;
    }
    return recent.slice(0, MOST_RUNS);
  });
}

function runsIn({ type, event, session_id, runs }: JournalRecord, hook: string) {
  return runs
    .filter((one) => one.name === hook && !(one.async === true && type !== "run"))
    .map(({ started_at, duration_ms, outcome, failure }) => ({
      time: started_at,
      session_id,
      event: event.hook_event_name,
      duration_ms,
      said:
        failure !== undefined
          ? `failed (${failure.kind}): ${failure.message}`
          : outcome === undefined
            ? "nothing to say"
            : saidBy(outcome)
                .map(([verdict, reason]) => (reason === undefined ? verdict : `${verdict}: ${reason}`))
                .join("; "),
    }));
}

/** The definition as it was written; as YAML when it can't be cut out of its file. */
function definitionText(defined: ConfigDefinition): string {
  const written = defined.pack === undefined ? fromYaml(defined) : undefined;
  return (written ?? stringify(defined.definition, { lineWidth: 0 })).trimEnd();
}

function fromYaml({ origin: { file }, definition }: ConfigDefinition): string | undefined {
  if (!/\.ya?ml$/i.test(file)) return undefined;
  const text = regularText(file, MOST_BYTES) ?? "";
  const list = parseDocument(text, { logLevel: "silent" }).getIn(["hooks", "definitions"]);
  const node = isSeq(list)
    ? list.items.find((item) => isMap(item) && item.get("name") === definition.name)
    : undefined;
  if (!isMap(node) || !node.range) return undefined;
  const [start, end] = node.range;
  const column = start - (text.lastIndexOf("\n", start - 1) + 1);
  return textAt(text, { start, end, indent: " ".repeat(column) });
}

/** What a rule of a pack stops and lets through, and where it counts here. The reference has a page with the same. */
function ruleReport(rule: PackRule, definitions: readonly ConfigDefinition[]): Report {
  const { id, answer = "ask", reason, instead, stops, passes } = rule;
  const holders = definitions.filter(
    ({ pack, definition }) => pack !== undefined && rulesOfHook(definition.name).some((row) => row.id === id),
  );
  const on = holders
    .filter((hook) => hook.enabled && hook.rules_off?.includes(id) !== true)
    .map(({ name }) => name);
  const off = holders.length > 0 ? `off; tenterhook on ${id}` : "no pack in use here has it";
  const examples = (title: string, list: readonly PackExample[]): readonly Row[] =>
    list.map((example, at) => [at === 0 ? title : "", exampleText(example)]);
  return {
    json: { rule: id, answer, reason, instead, stops, passes, on },
    blocks: [
      `${bold(id)}  ${answer}`,
      rows(MARGIN, [
        ["why", reason],
        ["instead", instead],
        ...examples("stops", stops),
        ...examples("lets through", passes),
        ["state", on.length === 0 ? off : `on, in ${on.join(" and ")}; tenterhook off ${id}`],
      ]),
    ],
  };
}

function exampleText(example: PackExample): string {
  return typeof example === "string"
    ? example
    : `${String(example.tool_name)} ${JSON.stringify(example.tool_input)}`;
}
