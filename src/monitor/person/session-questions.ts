import { createHash } from "node:crypto";
import { isRecord } from "../../core/base/json.ts";
import { thisProcess } from "../../node/identity/process-identity.ts";
import { terminalOf } from "../../node/identity/terminal-of.ts";
import type { HumanRequest, MonitorStore } from "../../shared/monitor/monitor.ts";
import { optionsFor } from "../report/sources.ts";
import type { Session, Standing } from "./standing.ts";

/**
 * Asks the user, in every place where agents' questions are answered, whether a terminal or session is theirs. What they
 * say holds until it is closed.
 */
export function sessionQuestions(store: Pick<MonitorStore, "update">) {
  /** What the user has said; `undefined` when they have said nothing yet, and are asked. */
  const answered = (session: Session, why: string): Promise<boolean | undefined> =>
    store.update((tables) => {
      const id = idOf(session);
      const known = tables.decision(id);
      const { source, state, resolved } = known ?? {};
      if (source === "session" && state === "resolved")
        return isRecord(resolved?.answer) && resolved.answer.allow === true;
      if (source !== "session" || state !== "open") tables.putDecision(questionAbout(session, id, why));
      return undefined;
    });
  /** The standing that somebody has with what the user has said about their terminal. */
  return async (standing: Standing): Promise<Standing> => {
    if (standing.is !== "asked" || standing.session === undefined) return standing;
    const { why, session } = standing;
    const isTheirs = await answered(session, why);
    if (isTheirs === true) return { is: "person", hasTerminal: session.hasTerminal };
    if (isTheirs === false) return { is: "refused", why: "You have said that this terminal is not yours." };
    return { ...standing, question: idOf(session) };
  };
}

function idOf({ pid, started }: Session): string {
  const { machine } = thisProcess();
  return createHash("sha256")
    .update(JSON.stringify([machine, pid, started]))
    .digest("hex")
    .slice(0, 16);
}

function questionAbout(session: Session, id: string, context: string): HumanRequest {
  return {
    id,
    agent_id: terminalOf(session.pid) ?? `process ${session.pid} (${session.name})`,
    source: "session",
    context,
    options: optionsFor("session", {}),
    state: "open",
    created_at: new Date().toISOString(),
  };
}
