import type { NativeReply } from "../../../../adapters/adapter.ts";
import { isRecord } from "../../../../core/base/json.ts";
import { NOT_TRUSTED, TRUST_SHOWS } from "../../../../core/base/untrusted.ts";
import type { Decision, HookFailure, HookOutcome } from "../../../../core/decide/decision.ts";
import type { AnyEvent } from "../../../../core/events/payloads.ts";
import { homeFolder } from "../../../../node/user-folders.ts";
import type { Reading } from "../../../../rules/fields/reading.ts";
import type { RuleReference } from "../../../../rules/rule.ts";
import { type Block, paragraph, type Row, rows } from "../../../command-line/screen/report.ts";
import {
  bold,
  columns,
  counted,
  cut,
  dim,
  green,
  hanging,
  harmless,
  harmlessLine,
  harmlessName,
  MOST_OF_RULE,
  padded,
  red,
  shortPath,
  yellow,
} from "../../../command-line/screen/text.ts";
import { recordedName, type TurnProgram, whenOf } from "../../../configured-hooks/turn-programs.ts";
import { NOT_RUN, type Why } from "./why.ts";

/** A rule of one's own can be long; those of packs are told by their reason. */
/** A command and a reason are shown whole; a file that is written is not. */
const MOST_OF_CALL = 400;
const MARGIN = 12;

export interface ExplainedHook extends Why {
  readonly name: string;
  readonly file?: string;
  readonly line?: number;
  readonly pack?: string;
  /** Its outcome, or that of its failure. */
  readonly outcome?: HookOutcome;
  /** What it would have done, were it or its rule not in shadow mode. */
  readonly would?: HookOutcome;
  /** The rule that decided, and its line in `rules`. */
  readonly rule?: RuleReference;
  /** Its failure; `untrusted` when it was not run because it is not trusted. */
  readonly failure?: HookFailure;
  /** What it runs and is gone, which keeps it from running. */
  readonly gone_files?: readonly string[];
  /** The command with which a person switches it off for a while, where it refuses. */
  readonly off?: string;
}

export interface Explanation {
  readonly event: AnyEvent;
  readonly reading?: Reading;
  /** Null when nothing was run. */
  readonly decision: Decision | null;
  readonly hooks: readonly ExplainedHook[];
  readonly native?: NativeReply;
  /** The program of `.agent/hook.toml` that runs with the event. */
  readonly program?: TurnProgram;
}

/** What a decision without a verdict comes to. */
function withoutVerdict(decision: Decision | null): "keep going" | "answer" | "continue" {
  if (decision?.keep_going !== undefined) return "keep going";
  return decision?.answer === undefined ? "continue" : "answer";
}

/** What was decided, by what, how the line was read, and what else was said; the rest in one line. */
export function explanationBlocks(
  { event, reading, decision, hooks, native, program }: Explanation,
  all: boolean,
  cwd: string,
): Block {
  const decided = decision?.action ?? "continue";
  const action = decided === "continue" ? withoutVerdict(decision) : decided;
  const decider = decision === null ? undefined : decidingHook(decision, hooks);
  const others = hooks.filter((hook) => hook !== decider);
  const isAlone = others.every(({ outcome, failure }) => outcome?.action !== "deny" && failure === undefined);
  const list: readonly Row[] = [
    ["Rule", decider?.rule !== undefined && decider.pack === undefined && ruleText(decider.rule)],
    ...readingLines(reading, event).map(
      ([label, text]): Row => [label, cut(harmlessLine(text), MOST_OF_CALL)],
    ),
    ...otherRows(others, decider, all),
    ...hooks.map(
      ({ name, would }): Row => ["Shadow", would && `${harmlessName(name)} would ${wouldText(would)}`],
    ),
    ...effectsOf(decision, hooks).map((text): Row => ["Then", cut(harmless(text), MOST_OF_CALL)]),
    ["You may", decider?.off !== undefined && isAlone && `allow it: ${decider.off}`],
    ["Next", goneFilesText(hooks, cwd)],
    ["Next", hooks.some(isUntrusted) && "tenterhook trust shows what the hooks would run."],
    ["Silent", silentText(others, decision, all), dim],
  ];
  return [
    callBlock(decision === null ? dim("DRY") : COLOURS[action](bold(action.toUpperCase())), event),
    decision !== null && deciderBlock(decider, decision, cwd),
    rows(MARGIN, list, { indent: "  " }),
    all && hookLines(hooks),
    program && rows(MARGIN, [["Program", programText(program)]], { indent: "  " }),
    native && replyBlock(native, event),
  ];
}

const COLOURS = {
  deny: red,
  ask: yellow,
  allow: green,
  continue: green,
  "keep going": yellow,
  answer: yellow,
};

/** The hook that decided, where it is written, and what it says. */
function deciderBlock(decider: ExplainedHook | undefined, decision: Decision, cwd: string): Block {
  const { answer, keep_going } = decision;
  if (decider === undefined && answer !== undefined)
    return [paragraph(`A hook gives the answer: ${JSON.stringify(answer)}`), ""];
  if (decider === undefined) return ["  No hook stops it.", ""];
  const from = placeOf(decider, cwd);
  const name = harmlessName(decider.name);
  const { reason = keep_going?.reason } = decider.outcome ?? {};
  const said = decider.failure === undefined ? reason : failureText(decider.failure, decider);
  return [
    ({ width }) => {
      const gap = width - 2 - columns(name) - columns(from);
      return [
        `  ${bold(name)}${" ".repeat(Number.isFinite(gap) ? Math.max(2, gap) : 2)}${dim(from)}`.trimEnd(),
      ];
    },
    said !== undefined && paragraph(said),
    "",
  ];
}

/** What the other hooks said. */
function otherRows(
  others: readonly ExplainedHook[],
  decider: ExplainedHook | undefined,
  all: boolean,
): readonly Row[] {
  const untrusted = others.filter(isUntrusted).length;
  const opinions = others.filter((hook) => hasOpinion(hook) && (all || !isUntrusted(hook)));
  const said = opinions.map(saidBy);
  const notRun = `${counted(untrusted, decider === undefined ? "hook" : "other hook")}, ${NOT_TRUSTED}`;
  return [
    ...opinions.map((hook, at): Row => {
      const isSame =
        (decider?.rule !== undefined && hook.outcome?.reason === decider.outcome?.reason) ||
        (at > 0 && said[at] === said[at - 1]);
      return [at === 0 ? "Also" : "", `${harmlessName(hook.name)} ${isSame ? "says the same" : said[at]}`];
    }),
    ["Not run", untrusted > 0 && !all && notRun],
  ];
}

function silentText(
  others: readonly ExplainedHook[],
  decision: Decision | null,
  all: boolean,
): string | false {
  const silent = others.filter((hook) => hook.matched && !hasOpinion(hook));
  const unasked = others.filter(({ matched }) => !matched);
  const counts = [
    `${counted(silent.length, "hook")} ${decision === null ? "would run" : "had nothing to say"}`,
    `${counted(unasked.length, "hook")} not asked`,
  ].filter((text) => !text.startsWith("0 "));
  return counts.length > 0 && `${counts.join(", ")}${all ? "" : "; -v shows why"}`;
}

function programText(program: TurnProgram): string {
  const when = program.trusted ? whenOf(program) : `${NOT_TRUSTED}: ${TRUST_SHOWS}`;
  return `${recordedName(program)}  ${program.command.join(" ")}, ${when}`;
}

/** Where there are no hooks: what a pack would do. */
export function unguardedBlocks(
  { event }: Explanation,
  { pack, action }: { readonly pack: string; readonly action: string },
): Block {
  const would =
    action === "continue"
      ? "would let it pass, too"
      : `would ${action === "ask" ? "ask you about this" : `${action} this`}`;
  return [
    callBlock(yellow(bold("NOT STOPPED")), event),
    paragraph(`There are no hooks here. The pack ${pack} ${would}: tenterhook init`),
  ];
}

function callBlock(verdict: string, event: AnyEvent): Block {
  const title = `  ${verdict}`;
  const call = cut(aboutOf(event), MOST_OF_CALL);
  return [({ width }) => [hanging(title, call, width, columns(title) + 2)], ""];
}

/** The first hook whose answer is the decision; else the first that failed, which refuses a gate. */
function decidingHook(
  { action, keep_going }: Decision,
  hooks: readonly ExplainedHook[],
): ExplainedHook | undefined {
  const keepsGoing = action === "continue" && keep_going !== undefined;
  if (action === "continue" && !keepsGoing) return undefined;
  const asked = hooks.filter(({ matched }) => matched);
  const decides = ({ outcome }: ExplainedHook): boolean =>
    keepsGoing ? outcome?.keep_going !== undefined : outcome?.action === action;
  return (
    asked.find((hook) => hook.failure === undefined && decides(hook)) ??
    asked.find(({ failure }) => failure !== undefined)
  );
}

function hasOpinion({ matched, outcome, failure }: ExplainedHook): boolean {
  return matched && (failure !== undefined || outcome !== undefined);
}

function isUntrusted({ failure, gone_files }: ExplainedHook): boolean {
  return failure?.kind === "untrusted" && gone_files === undefined;
}

function goneFilesText(hooks: readonly ExplainedHook[], cwd: string): string | undefined {
  const files = [...new Set(hooks.flatMap(({ gone_files = [] }) => gone_files))];
  return files.length === 0
    ? undefined
    : `Bring back ${files.map((file) => shortPath(file, cwd)).join(", ")}.`;
}

const SAYS = { deny: "denies", ask: "asks", allow: "allows", continue: "" } as const;

function saidBy(hook: ExplainedHook): string {
  const { outcome, failure } = hook;
  if (failure !== undefined) return harmless(failureText(failure, hook));
  const { action = "continue", reason, ...more } = outcome ?? {};
  const gives = Object.keys(more).join(", ").replaceAll("_", " ");
  const verb = [SAYS[action], gives === "" ? "" : `gives ${gives}`].filter((part) => part !== "").join(", ");
  return reason === undefined ? verb : `${verb}: ${harmless(reason)}`;
}

function wouldText({ action, reason, ...more }: HookOutcome): string {
  const done = action === "continue" ? `give ${Object.keys(more).join(", ").replaceAll("_", " ")}` : action;
  return reason === undefined ? done : `${done}: ${harmless(reason)}`;
}

/** What it says of itself; its place stands beside it. */
function failureText({ kind, message }: HookFailure, { file, line }: ExplainedHook): string {
  const place = `${file}:${line}: `;
  const said = message.startsWith(place) ? message.slice(place.length) : message;
  return kind === "untrusted" ? `not run: ${said}` : `failed (${kind}): ${said}`;
}

function placeOf({ file, line, pack }: ExplainedHook, cwd: string): string {
  if (file === undefined) return "";
  return `${shortPath(file, cwd)}:${line ?? 1}${pack === undefined ? "" : `, pack ${pack}`}`;
}

/** A shell line as it is; any other event by its name and input. */
function aboutOf({ hook_event_name, tool_name, tool_input }: AnyEvent): string {
  const command = isRecord(tool_input) ? tool_input.command : undefined;
  if (hook_event_name === "PreToolUse" && tool_name === "Bash" && typeof command === "string")
    return harmlessLine(command);
  const parts = [hook_event_name, tool_name, tool_input && JSON.stringify(tool_input)];
  return harmlessLine(parts.filter((part) => typeof part === "string").join(" "));
}

const MOST_NAMED = 4;

function readingLines(
  reading: Reading | undefined,
  { tool_input }: AnyEvent,
): readonly (readonly [label: string, text: string])[] {
  if (reading === undefined) return [];
  const { runs, reads, changes, loses, connects, unknown } = reading;
  const said = isRecord(tool_input) ? tool_input.command : undefined;
  const isSaid = runs.length === 1 && runs[0] === said;
  const lines = [
    ["Runs", isSaid ? "" : named(runs, " · ")],
    ["Deletes", named(loses.map(withHome), ", ")],
    ["Changes", named(changes, ", ")],
    ["Reads", named(reads, ", ")],
    ["Connects", named(connects, ", ")],
    ["Unknown", unknown ? "part of what it does is known only when it runs" : ""],
  ] as const;
  return lines.filter(([, text]) => text !== "");
}

/** `~ (/home/you)`: the whole of it is more than a sign. */
function withHome(path: string): string {
  return path === "~" ? `~ (${homeFolder()})` : path;
}

function named(list: readonly string[], between: string): string {
  const rest = list.length - MOST_NAMED;
  return `${list.slice(0, MOST_NAMED).join(between)}${rest > 0 ? ` and ${rest} more` : ""}`;
}

function effectsOf(decision: Decision | null, hooks: readonly ExplainedHook[]): readonly string[] {
  if (decision === null) return [];
  return [
    decision.abort && "the run ends",
    decision.input && `rewritten input: ${JSON.stringify(decision.input)}`,
    decision.prompt !== undefined && `rewritten prompt: ${decision.prompt}`,
    ...decision.context.map(({ text, hook }) => `context of ${hook}: ${text}`),
    ...hooks.flatMap(({ name, outcome }) => offered(name, outcome)),
    ...decision.user_messages
      .filter(({ text }) => !hooks.some(({ failure }) => failure && text.includes(failure.message)))
      .filter(({ text }) => decision.reason?.includes(text) !== true)
      .map(({ text, level }) => `${level}: ${text}`),
  ].filter((text) => typeof text === "string");
}

/** Where a human can choose one of the options that a hook asks with. */
function offered(name: string, outcome: HookOutcome | undefined): readonly string[] {
  if (outcome?.options === undefined) return [];
  return [
    `options of ${name}: ${outcome.options.join(", ")}. They are offered in the monitor, with monitor.on_prompt: answer, and by the built-in agent; elsewhere a human is asked for a yes or no`,
  ];
}

function hookLines(hooks: readonly ExplainedHook[]): Block {
  const most = Math.min(32, Math.max(0, ...hooks.map(({ name }) => columns(name))));
  return ({ width }) =>
    hooks.map(({ name, matched, why, rule }) => {
      const by = rule === undefined ? "" : `; rule ${ruleText(rule)}`;
      const text = harmless(`${matched ? "asked" : "not asked"}: ${why.replace(NOT_RUN, "")}${by}`);
      return dim(hanging(`  ${padded(harmlessName(name), most)}`, text, width, most + 4));
    });
}

function ruleText({ index, source }: RuleReference): string {
  return `${index + 1}: ${cut(source, MOST_OF_RULE)}`;
}

function replyBlock(native: NativeReply, event: AnyEvent): Block {
  const texts = [native.stdout, native.stderr, ...native.losses.map(({ message }) => message)].filter(
    (text) => text !== "",
  );
  return [
    "",
    `  ${bold(`reply to ${event.host}, with exit code ${native.exit_code}`)}`,
    texts.map((text) => paragraph(text.trimEnd())),
    texts.length === 0 && dim("  nothing: it continues as without hooks"),
  ];
}
