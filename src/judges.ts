import type { HandlerPorts } from "./handlers/handler.ts";
import type { Judges } from "./shared/contracts/judge.ts";

/** What llm and agent hooks ask. Everything about models and agents is loaded with the first question. */
export function judgePorts(environment: NodeJS.ProcessEnv): Pick<HandlerPorts, "judges" | "judgeAgent"> {
  let loading: Promise<Judges> | undefined;
  const load = (): Promise<Judges> => {
    loading ??= import("./agent/model/judges.ts").then(({ createJudges }) => createJudges({ environment }));
    return loading;
  };
  return {
    judges: {
      problem: async (named) => (await load()).problem(named),
      ask: async (request) => (await load()).ask(request),
    },
    judgeAgent: async (request) => (await import("./judge-agent.ts")).judgeWithAgent(request),
  };
}
