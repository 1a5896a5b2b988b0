import { lazyJudges } from "./agent/models/lazy-judges.ts";
import type { HandlerPorts } from "./handlers/handler.ts";

/** What llm and agent hooks ask. Everything about models and agents is loaded with the first question. */
export function judgePorts(environment: NodeJS.ProcessEnv): Pick<HandlerPorts, "judges" | "judgeAgent"> {
  return {
    judges: lazyJudges({ environment }),
    judgeAgent: async (request) => (await import("./judge-agent.ts")).judgeWithAgent(request),
  };
}
