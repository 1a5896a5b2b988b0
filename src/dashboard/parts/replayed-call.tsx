import { inputText, subjectOf } from "../../shared/call-text.ts";
import type { ReplayedCall, Verdict } from "../../shared/replay.ts";
import { moment } from "./format.ts";
import { scrolled } from "./states.tsx";

/** A call on one line. */
export function callText({ tool_name, tool_input }: ReplayedCall): string {
  const input = typeof tool_input === "object" && tool_input !== null ? tool_input : {};
  if ("command" in input && typeof input.command === "string") return input.command;
  const said = "last_assistant_message" in input ? input.last_assistant_message : undefined;
  return `${tool_name} ${typeof said === "string" ? said : subjectOf(tool_input)}`.trim();
}

/** What was stopped then and would not be now is let through. */
export function wouldOf({ now: { action } }: ReplayedCall): string {
  return action === "continue" || action === "allow" ? "let through" : action;
}

interface Props {
  readonly call: ReplayedCall;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

/** A call that would be decided differently; open, with all that is known of it. */
export function ReplayedRow({ call, isOpen, onToggle }: Props) {
  const { now, agent, at } = call;
  const would = wouldOf(call);
  const why = now.reason ?? now.rule ?? now.hook ?? "";
  return (
    <div class="replayed">
      <span>
        <span class={`tag ${would === "let through" ? "ok" : would}`}>{would}</span>
      </span>
      <button
        type="button"
        class="open clip"
        aria-expanded={isOpen}
        title={callText(call)}
        onClick={onToggle}
      >
        <code>{callText(call)}</code>
      </button>
      <span class="muted clip wide" title={why}>
        {why}
      </span>
      <span class="muted clip wide">{agent}</span>
      <span class="num muted">{at === undefined ? "" : moment(at)}</span>
      {isOpen && <Detail call={call} />}
    </div>
  );
}

function Detail({ call }: { readonly call: ReplayedCall }) {
  const { now, against, recorded, agent, session, at, tool_input } = call;
  const facts: readonly (readonly [string, string | undefined])[] = [
    ["Would be", said(now)],
    ["Hook", now.hook],
    ["Rule", now.rule],
    ["Was then", recorded && said(recorded)],
    ["Compared with", against && said(against)],
    ["Agent", agent],
    ["Session", session],
    ["When", at === undefined ? undefined : new Date(at).toLocaleString("en-GB")],
  ];
  return (
    <div class="detail">
      <code class="call" {...scrolled("Input")}>
        {inputText(tool_input)}
      </code>
      <dl class="about">
        {facts.flatMap(([name, text]) =>
          text === undefined ? [] : [<dt key={name}>{name}</dt>, <dd key={`${name} value`}>{text}</dd>],
        )}
      </dl>
    </div>
  );
}

function said({ action, reason }: Pick<Verdict, "action" | "reason">): string {
  return reason === undefined ? action : `${action}: ${reason}`;
}
