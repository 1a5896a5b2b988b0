import type { NativeReply } from "../../../../adapters/adapter.ts";
import { isRecord } from "../../../../core/base/json.ts";
import type { Decision, HookFailure, HookOutcome } from "../../../../core/decide/decision.ts";
import type { AnyEvent } from "../../../../core/events/payloads.ts";
import type { RuleReference } from "../../../../rules/rule.ts";
import type { Screen } from "../../../command-line/screen/screen.ts";
import {
  columns,
  counted,
  cut,
  hanging,
  harmless,
  harmlessLine,
  harmlessName,
  padded,
  shortPath,
  wrapped,
} from "../../../command-line/screen/text.ts";
import { recordedName, type TurnProgram, whenOf } from "../../../configured-hooks/turn-programs.ts";
import type { Reading } from "./reading.ts";
import { NOT_RUN, type Why } from "./why.ts";

/** A rule of one's own can be long; those of packs are told by their reason. */
const MOST_OF_RULE = 120;
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

/** Shows what was decided, by what, how the line was read, and what else was said; the rest in one line. */
export function showExplanation(
  { event, reading, decision, hooks, native, program }: Explanation,
  screen: Screen,
  all: boolean,
  cwd: string,
): void {
  const { bold, dim, green, red, yellow } = screen.paint;
  const colour = {
    deny: red,
    ask: yellow,
    allow: green,
    continue: green,
    "keep going": yellow,
    answer: yellow,
  };
  const decided = decision?.action ?? "continue";
  const action = decided === "continue" ? withoutVerdict(decision) : decided;
  const title = decision === null ? dim("DRY") : colour[action](bold(action.toUpperCase()));
  const line = (label: string, text: string): void =>
    screen.print(hanging(`  ${dim(label)}`, text, screen.width, MARGIN));
  showCall(title, event, screen);

  const decider = decision === null ? undefined : decidingHook(decision, hooks);
  if (decider !== undefined) {
    const from = placeOf(decider, cwd);
    const name = harmlessName(decider.name);
    const gap = screen.width - 2 - columns(name) - columns(from);
    const between = " ".repeat(Number.isFinite(gap) ? Math.max(2, gap) : 2);
    screen.print(`  ${bold(name)}${from === "" ? "" : `${between}${dim(from)}`}`);
    const { reason = decision?.keep_going?.reason } = decider.outcome ?? {};
    const said = decider.failure === undefined ? reason : failureText(decider.failure);
    if (said !== undefined) screen.print(wrapped(harmless(said), screen.width, "  "));
    screen.print("");
    if (decider.rule !== undefined && decider.pack === undefined)
      line("Rule", harmless(`${decider.rule.index + 1}: ${cut(decider.rule.source, MOST_OF_RULE)}`));
  } else if (decision?.answer !== undefined) {
    const answer = harmless(JSON.stringify(decision.answer));
    screen.print(wrapped(`A hook gives the answer: ${answer}`, screen.width, "  "), "");
  } else if (decision !== null) screen.print("  No hook stops it.", "");

  for (const [label, text] of readingLines(reading)) line(label, cut(harmlessLine(text), MOST_OF_CALL));
  const others = hooks.filter((hook) => hook !== decider);
  const untrusted = others.filter(isUntrusted).length;
  const opinions = others.filter((hook) => hasOpinion(hook) && (all || !isUntrusted(hook)));
  const said = opinions.map(saidBy);
  for (const [at, hook] of opinions.entries()) {
    const isSame =
      (decider?.rule !== undefined && hook.outcome?.reason === decider.outcome?.reason) ||
      (at > 0 && said[at] === said[at - 1]);
    const text = `${harmlessName(hook.name)} ${isSame ? "says the same" : said[at]}`;
    line(at === 0 ? "Also" : "", text);
  }
  if (untrusted > 0 && !all)
    line("Not run", `${counted(untrusted, decider === undefined ? "hook" : "other hook")}, not trusted yet`);
  for (const { name, would } of hooks) {
    if (would === undefined) continue;
    const text = `${harmlessName(name)} would ${wouldText(would)}`;
    line("Shadow", text);
  }
  if (decision !== null)
    for (const text of effectsOf(decision, hooks)) line("Then", cut(harmless(text), MOST_OF_CALL));
  const isAlone = others.every(({ outcome, failure }) => outcome?.action !== "deny" && failure === undefined);
  if (decider?.off !== undefined && isAlone) line("You may", `allow it: ${decider.off}`);
  if (hooks.some(isUntrusted)) line("Next", "tenterhook trust shows what the hooks would run.");

  const silent = others.filter((hook) => hook.matched && !hasOpinion(hook));
  const unasked = others.filter(({ matched }) => !matched);
  const counts = [
    `${counted(silent.length, "hook")} ${decision === null ? "would run" : "had nothing to say"}`,
    `${counted(unasked.length, "hook")} not asked`,
  ].filter((text) => !text.startsWith("0 "));
  if (counts.length > 0) line("Silent", dim(`${counts.join(", ")}${all ? "" : "; -v shows why"}`));
  if (all) for (const text of hookLines(hooks, screen.width)) screen.print(dim(text));
  if (program !== undefined) {
    const when = program.trusted ? whenOf(program) : "not trusted yet, so it does not run: tenterhook trust";
    line("Program", harmless(`${recordedName(program)}  ${program.command.join(" ")}, ${when}`));
  }
  if (native !== undefined) showReply(native, event, screen);
}

/** Where there are no hooks: what a pack would do. */
export function showUnguarded(
  { event }: Explanation,
  { pack, action }: { readonly pack: string; readonly action: string },
  screen: Screen,
): void {
  const title = "NOT STOPPED";
  const { bold, yellow } = screen.paint;
  const would =
    action === "continue"
      ? "would let it pass, too"
      : `would ${action === "ask" ? "ask you about this" : `${action} this`}`;
  showCall(yellow(bold(title)), event, screen);
  screen.print(
    wrapped(`There are no hooks here. The pack ${pack} ${would}: tenterhook init`, screen.width, "  "),
  );
}

function showCall(verdict: string, event: AnyEvent, screen: Screen): void {
  const title = `  ${verdict}`;
  screen.print(hanging(title, cut(aboutOf(event), MOST_OF_CALL), screen.width, columns(title) + 2), "");
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

function isUntrusted({ failure }: ExplainedHook): boolean {
  return failure?.kind === "untrusted";
}

const SAYS = { deny: "denies", ask: "asks", allow: "allows", continue: "" } as const;

function saidBy({ outcome, failure }: ExplainedHook): string {
  if (failure !== undefined) return harmless(failureText(failure));
  const { action = "continue", reason, ...more } = outcome ?? {};
  const gives = Object.keys(more).join(", ").replaceAll("_", " ");
  const verb = [SAYS[action], gives === "" ? "" : `gives ${gives}`].filter((part) => part !== "").join(", ");
  return reason === undefined ? verb : `${verb}: ${harmless(reason)}`;
}

function wouldText({ action, reason, ...more }: HookOutcome): string {
  const done = action === "continue" ? `give ${Object.keys(more).join(", ").replaceAll("_", " ")}` : action;
  return reason === undefined ? done : `${done}: ${harmless(reason)}`;
}

function failureText({ kind, message }: HookFailure): string {
  return kind === "untrusted" ? `not run: ${message}` : `failed (${kind}): ${message}`;
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

function readingLines(reading: Reading | undefined): readonly (readonly [label: string, text: string])[] {
  if (reading === undefined) return [];
  const { runs, reads, changes, loses, connects, unknown } = reading;
  const touches = Object.entries({ reads, changes, loses, "connects to": connects })
    .filter(([, list]) => list.length > 0)
    .map(([verb, list]) => `${verb} ${named(list, ", ")}`);
  const lines = [
    ["Runs", named(runs, " · ")],
    ["Touches", touches.join("; ")],
    ["Unknown", unknown ? "part of what it does is known only when it runs" : ""],
  ] as const;
  return lines.filter(([, text]) => text !== "");
}

function named(list: readonly string[], between: string): string {
  const rest = list.length - MOST_NAMED;
  return `${list.slice(0, MOST_NAMED).join(between)}${rest > 0 ? ` and ${rest} more` : ""}`;
}

function effectsOf(decision: Decision, hooks: readonly ExplainedHook[]): readonly string[] {
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
    `options of ${name}: ${outcome.options.join(", ")}. They are offered in the monitor, with monitor.on_prompt: answer, and by Tenterhook's own agent; elsewhere a human is asked for a yes or no`,
  ];
}

function hookLines(hooks: readonly ExplainedHook[], width: number): readonly string[] {
  const most = Math.min(32, Math.max(0, ...hooks.map(({ name }) => columns(name))));
  return hooks.map(({ name, matched, why, rule }) => {
    const by = rule === undefined ? "" : `; rule ${rule.index + 1}: ${cut(rule.source, MOST_OF_RULE)}`;
    const text = harmless(`${matched ? "asked" : "not asked"}: ${why.replace(NOT_RUN, "")}${by}`);
    return hanging(`  ${padded(harmlessName(name), most)}`, text, width, most + 4);
  });
}

function showReply(native: NativeReply, event: AnyEvent, screen: Screen): void {
  const { bold, dim } = screen.paint;
  screen.print("", `  ${bold(`reply to ${event.host}, with exit code ${native.exit_code}`)}`);
  const texts = [native.stdout, native.stderr, ...native.losses.map(({ message }) => message)].filter(
    (text) => text !== "",
  );
  for (const text of texts) screen.print(wrapped(harmless(text.trimEnd()), screen.width, "  "));
  if (texts.length === 0) screen.print(dim("  nothing: it continues as without hooks"));
}
