import type { NativeReply } from "../../../../adapters/adapter.ts";
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
  harmlessName,
  padded,
  wrapped,
} from "../../../command-line/screen/text.ts";
import { NOT_RUN, type Why } from "./why.ts";

/** Rules of packs can be very long. */
const MOST_OF_RULE = 120;

export interface ExplainedHook extends Why {
  readonly name: string;
  /** Its outcome, or that of its failure. */
  readonly outcome?: HookOutcome;
  /** The rule that decided, and its line in `rules`. */
  readonly rule?: RuleReference;
  /** Its failure; `untrusted` when it was not run because it is not trusted. */
  readonly failure?: HookFailure;
}

export interface Explanation {
  readonly event: AnyEvent;
  /** Null when nothing was run. */
  readonly decision: Decision | null;
  readonly hooks: readonly ExplainedHook[];
  /** The reply to the agent. */
  readonly native?: NativeReply;
}

export function showExplanation(
  { event, decision, hooks, native }: Explanation,
  screen: Screen,
  all: boolean,
): void {
  const { bold, dim, green, red, yellow } = screen.paint;
  const colour = { deny: red, ask: yellow, allow: green, continue: green };
  const about = [event.tool_name, event.tool_input && JSON.stringify(event.tool_input)].filter(
    (part) => typeof part === "string",
  );
  const line = harmless([event.hook_event_name, ...about].join(" "));
  screen.print(`${dim("event   ")}  ${cut(line, screen.width - 10)}`);
  if (decision !== null) {
    const action = colour[decision.action](bold(decision.action));
    const reason = decision.reason === undefined ? "" : `  ${harmless(decision.reason)}`;
    screen.print(hanging(dim("decision"), `${action}${reason}`, screen.width, 10));
    const rest = [
      decision.abort && "the run ends",
      decision.keep_going && `keep going: ${decision.keep_going.reason}`,
      decision.input && `rewritten input: ${JSON.stringify(decision.input)}`,
      decision.prompt !== undefined && `rewritten prompt: ${decision.prompt}`,
      ...decision.context.map(({ text, hook }) => `context of ${hook}: ${text}`),
      ...hooks.flatMap(({ name, outcome }) => offered(name, outcome)),
      ...decision.user_messages
        .filter(({ text }) => decision.reason?.includes(text) !== true)
        .map(({ text, level }) => `${level}: ${text}`),
    ].filter((text) => typeof text === "string");
    for (const text of rest) screen.print(dim(wrapped(cut(harmless(text), 400), screen.width, "          ")));
  }
  const isUntrusted = ({ failure }: ExplainedHook): boolean => failure?.kind === "untrusted";
  const asked = hooks.filter((hook) => hook.matched && !isUntrusted(hook));
  const untrusted = hooks.filter((hook) => hook.matched && isUntrusted(hook));
  const others = hooks.filter(({ matched }) => !matched);
  const width = Math.min(32, Math.max(0, ...hooks.map(({ name }) => columns(name))));
  const show = (
    title: string,
    group: readonly ExplainedHook[],
    textOf: (hook: ExplainedHook) => string,
  ): void => {
    if (group.length === 0) return;
    screen.print("", bold(title));
    for (const hook of group) {
      const text = textOf(hook);
      const name = `  ${padded(harmlessName(hook.name), width)}`;
      const line = text === "" ? name : `${name}  ${text}`;
      const by =
        hook.rule === undefined
          ? ""
          : `; rule ${hook.rule.index + 1}: ${cut(hook.rule.source, MOST_OF_RULE)}`;
      const why = harmless(`${hook.why.replace(NOT_RUN, "")}${by}`);
      if (columns(line) + columns(why) + 4 <= screen.width) screen.print(`${line}  ${dim(`(${why})`)}`);
      else
        screen.print(
          hanging(name, text, screen.width, columns(name) + 2).trimEnd(),
          dim(wrapped(why, screen.width, "    ")),
        );
    }
  };
  show(`${counted(asked.length, "hook")} ${decision === null ? "would run" : "ran"}`, asked, (hook) => {
    if (hook.failure !== undefined)
      return red(`failed (${hook.failure.kind}): ${harmless(hook.failure.message)}`);
    if (hook.outcome === undefined) return decision === null ? "" : dim("nothing to say");
    const { action, reason, ...more } = hook.outcome;
    return `${colour[action](action)}${reason === undefined ? "" : `: ${harmless(reason)}`}${Object.keys(more).length > 0 ? dim(` + ${Object.keys(more).join(", ")}`) : ""}`;
  });
  show(
    `${counted(untrusted.length, "hook")} not trusted, so not run (tenterhook trust shows what would run)`,
    untrusted,
    ({ failure }) => yellow(harmless(failure?.message ?? "")),
  );
  if (all) show(`${counted(others.length, "hook")} not asked`, others, () => "");
  else if (others.length > 0)
    screen.print("", dim(`${counted(others.length, "hook")} not asked (--all shows why)`));
  if (native === undefined) return;
  screen.print("", bold(`reply to ${event.host}, with exit code ${native.exit_code}`));
  const texts = [native.stdout, native.stderr, ...native.losses.map(({ message }) => message)].filter(
    (text) => text !== "",
  );
  for (const text of texts) screen.print(wrapped(harmless(text.trimEnd()), screen.width, "  "));
  if (texts.length === 0) screen.print(dim("  nothing: it goes on as without hooks"));
}

/** Where a human can choose one of the options that a hook asks with. */
function offered(name: string, outcome: HookOutcome | undefined): readonly string[] {
  if (outcome?.options === undefined) return [];
  return [
    `options of ${name}: ${outcome.options.join(", ")}. They are offered in the monitor, with monitor.on_prompt: answer, and by Tenterhook's own agent; elsewhere a human is asked for a yes or no`,
  ];
}
