import { type AgentSession, emit } from "../session/session.ts";

/** Tells that subagents in the background end with the session, before their work is done. */
export function tellStopped(session: AgentSession): void {
  const { size } = session.subagents.background;
  if (size === 0) return;
  const who = size === 1 ? "A subagent in the background was" : `${size} subagents in the background were`;
  const way =
    session.options.store === undefined
      ? ""
      : " When the session is resumed, its agent is told how to go on.";
  emit(session, {
    type: "notice",
    level: "warning",
    text: `${who} stopped with the session, before the work was done.${way}`,
  });
}
