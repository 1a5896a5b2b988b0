import { hasResult, lastSign } from "../../adapters/codec/turn-sign.ts";
import { TURN_SIGNS } from "../../adapters/turn-signs.ts";
import type { AgentStatus } from "../../shared/monitor/monitor.ts";
import { answerIn, mayHaveEnded, newsIn, type TurnNews } from "./turn-news.ts";

/** What the end of an agent's transcript says that its hooks have not. Never throws. */
export function newsOf(agent: AgentStatus): TurnNews | undefined {
  const { host = "", transcript_path } = agent;
  const format = TURN_SIGNS.get(host);
  if (format === undefined || transcript_path === undefined || !mayHaveEnded(agent)) return undefined;
  const sign = lastSign(transcript_path, format);
  const news = sign && newsIn(agent, sign);
  return news ?? answerIn(agent, (call) => hasResult(transcript_path, format, call));
}
