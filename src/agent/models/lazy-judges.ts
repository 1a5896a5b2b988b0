import type { Judges } from "../../shared/contracts/judge.ts";
import type { ModelEnvironment } from "./open-model.ts";

/** Like `createJudges`, but loads everything about models with the first question. */
export function lazyJudges(options: { readonly environment: ModelEnvironment }): Judges {
  let loading: Promise<Judges> | undefined;
  const load = (): Promise<Judges> => {
    loading ??= import("./judges.ts").then(({ createJudges }) => createJudges(options));
    return loading;
  };
  return {
    problem: async (named) => (await load()).problem(named),
    ask: async (request) => (await load()).ask(request),
  };
}
