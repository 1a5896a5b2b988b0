import { isRecord } from "../../core/base/json.ts";
import type { Decision } from "../../core/decide/decision.ts";
import { TRUST_WAY_OUT } from "../../core/decide/failures.ts";
import { EFFECTS, type Effect } from "../../core/events/effects.ts";
import type { Degrade, EncodedEvent, Loss, NativeReply } from "../adapter.ts";
import { degraded } from "../codec/degrade.ts";
import { nativeOf } from "./decode.ts";
import { CLAUDE_EVENTS, type ClaudeEvent, claudeEvent, isClaudeGate } from "./events.ts";
import { fittedOutput } from "./fit-output.ts";
import { addPassedOn, type Draft, REPLY_FORMS, type ReplyFormName } from "./reply-forms.ts";

/** The reply that makes Claude Code do what was decided. */
export function encodeClaude(decision: Decision, event: EncodedEvent, degrade: Degrade = {}): NativeReply {
  const native = nativeName(event);
  const row = claudeEvent(native);
  const {
    decision: said,
    effects,
    losses,
  } = degraded(decision, {
    agent: "Claude Code",
    event: native,
    hears: heard(row, decision, event),
    because: {
      ...(row.says.rewrite === "updated_output" ? UNFIT : {}),
      ...(runsUnasked(event.native) ? UNASKED : {}),
    },
    gate: isClaudeGate(row),
    degrade,
  });
  const draft: Draft = { top: {}, specific: {}, text: "", stderr: "", exit_code: 0 };
  for (const effect of effects) {
    const form = row.says[effect];
    if (form !== undefined) REPLY_FORMS[form](draft, said, event.native);
  }
  if (said.native !== undefined) addPassedOn(draft, said.native);
  // Declining a form carries no reason, so the user is told.
  const why = row.says.deny === "decline" && effects.includes("deny") ? [said.reason ?? []].flat() : [];
  const texts = said.user_messages.map(({ text }) => text);
  const messages = new Set([...why, ...texts, ...losses.map(({ message }) => message)]);
  if (messages.size > 0) draft.top.systemMessage = [...messages].join("\n");
  return row.says.answer === "path" ? writtenPlain(draft, losses) : written(draft, native, losses);
}

/** True when the model reads context that comes with the event. That of SubagentStart is for the subagent alone. */
export function takesClaudeContext(event: EncodedEvent): boolean {
  const native = nativeName(event);
  return native !== "SubagentStart" && claudeEvent(native).says.context === "additional_context";
}

/** The reply when nothing could be decided: a refusal, unless the event can't be refused. */
export function refuseClaude(payload: unknown, reason: string): NativeReply {
  const native = isRecord(payload) ? payload.hook_event_name : undefined;
  // An unknown event may be a gate.
  if (typeof native !== "string" || !Object.hasOwn(CLAUDE_EVENTS, native))
    return { stdout: "", stderr: reason, exit_code: 2, losses: [] };
  const row = claudeEvent(native);
  const refusal: Decision = {
    action: isClaudeGate(row) ? "deny" : "continue",
    ...(isClaudeGate(row) ? { reason } : {}),
    context: [],
    user_messages: isClaudeGate(row) ? [] : [{ text: reason, level: "error", hook: "tenterhook" }],
    hook_inputs: [],
    runs: [],
  };
  return encodeClaude(refusal, { hook_event_name: native, native: payload });
}

function written(draft: Draft, native: string, losses: readonly Loss[]): NativeReply {
  const { top, specific, text, stderr, exit_code } = draft;
  // With exit code 2 only stderr is read. Ending the run is stronger and needs the JSON.
  if (exit_code !== 0 && top.continue !== false) {
    const messages = typeof top.systemMessage === "string" ? top.systemMessage.split("\n") : [];
    // A failure is both the reason and a message to the user. The model reads all of it, and may not read how to trust.
    const others = messages.filter(
      (line) => !stderr.split("\n").includes(line) && !line.endsWith(TRUST_WAY_OUT),
    );
    return { stdout: "", stderr: [stderr, ...others].join("\n"), exit_code, losses };
  }
  if (Object.keys(specific).length > 0) top.hookSpecificOutput = { hookEventName: native, ...specific };
  const stdout = Object.keys(top).length > 0 ? JSON.stringify(top) : text;
  return { stdout, stderr: "", exit_code: 0, losses };
}

/** Where all of stdout is the answer, everything else goes to stderr. */
function writtenPlain({ top, text, stderr }: Draft, losses: readonly Loss[]): NativeReply {
  const messages = typeof top.systemMessage === "string" ? [top.systemMessage] : [];
  if (text === "") {
    const said = [...(stderr === "" ? [] : [stderr]), ...messages];
    return { stdout: "", stderr: said.join("\n"), exit_code: said.length === 0 ? 0 : 2, losses };
  }
  const unseen: Loss = {
    effect: "user_message",
    became: "observe",
    message: "Claude Code shows no message beside an answer that it takes from the output as it is.",
  };
  return {
    stdout: text,
    stderr: messages.join("\n"),
    exit_code: 0,
    losses: messages.length === 0 ? losses : [...losses, unseen],
  };
}

/** The name Claude Code itself gave the event. */
function nativeName({ native, hook_event_name }: EncodedEvent): string {
  const name = isRecord(native) ? native.hook_event_name : undefined;
  return typeof name === "string" ? name : (nativeOf(hook_event_name) ?? hook_event_name);
}

/** The effects of this decision that Claude Code supports. */
function heard({ says }: ClaudeEvent, decision: Decision, event: EncodedEvent): ReadonlySet<Effect> {
  return new Set(
    EFFECTS.filter((effect) => {
      const form = says[effect];
      if (effect === "ask" && runsUnasked(event.native)) return false;
      return form !== undefined && (HEARD_WHEN[form]?.(decision, event) ?? true);
    }),
  );
}

const UNASKED = { ask: "In this mode Claude Code may run a call that names a hidden file without asking." };
/** In JSON. Quotes and backslashes inside a name belong to the shell: `.''claude`. */
const HIDDEN_FILE = /(?:^|[^\w.])\.(?:'|\\["\\])*[A-Za-z_$*?[{]/;
/** In these, a call can name a sensitive file without its folder. Claude Code's own worktrees are whole projects. */
const SENSITIVE_FOLDER = /\/\.(?:claude(?!\/worktrees\/)|git|vscode|idea)(?:\/|$)/;

/**
 * True when it would ignore a hook that asks: with bypassPermissions, its own check of sensitive files (`.claude`, `.git`,
 * `.bashrc`) replaces the hook's answer, and is then skipped (seen in the program itself).
 */
function runsUnasked(native: unknown): boolean {
  if (!isRecord(native) || native.permission_mode !== "bypassPermissions") return false;
  const isInside = typeof native.cwd === "string" && SENSITIVE_FOLDER.test(native.cwd);
  return isInside || HIDDEN_FILE.test(JSON.stringify(native.tool_input ?? ""));
}

/** Plain output and a JSON reply exclude each other; the JSON reply is stronger. */
const alone = ({ action, user_messages, abort }: Decision): boolean =>
  action === "continue" && user_messages.length === 0 && abort === undefined;

const UNFIT = { rewrite: "Claude Code takes a rewrite of a result only in the shape that the tool gave it." };
const ELICITED: readonly unknown[] = ["accept", "decline", "cancel"];

/** Reply forms that do not fit every decision. */
const HEARD_WHEN: Partial<Record<ReplyFormName, (decision: Decision, event: EncodedEvent) => boolean>> = {
  behavior_input: ({ action }) => action === "allow",
  updated_output: ({ output }, { native }) =>
    output === undefined || fittedOutput(output, native) !== undefined,
  display_content: ({ output }) => output === undefined || typeof output === "string",
  plain_text: alone,
  elicitation: ({ answer }) => isRecord(answer) && ELICITED.includes(answer.action),
  path: ({ action, answer }) => action !== "deny" && typeof answer === "string",
};
