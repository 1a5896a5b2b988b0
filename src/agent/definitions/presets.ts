import type { AgentDefinition } from "./definition.ts";

/** The kind that works on anything. */
export const GENERAL: AgentDefinition = {
  name: "general-purpose",
  description: "Works on any task with the tools of the agent that starts it.",
};

/** What a kind that only looks does not need: it starts nothing, changes no mode, and answers a question. */
const NOT_FOR_READERS = ["Task", "EnterPlanMode", "ExitPlanMode", "Monitor", "TaskStop", "Skill"];

const EXPLORE: AgentDefinition = {
  name: "explore",
  description: "Searches and reads to answer a question about the workspace. Changes nothing.",
  prompt: `You answer a question about a workspace. You can search and read, and change nothing.

Search broadly first, then read what matters. Stop as soon as you can answer. Answer with what you found, each fact with its file and line, and say what you did not find.`,
  read_only: true,
  disallowed_tools: NOT_FOR_READERS,
};

const PLAN: AgentDefinition = {
  name: "plan",
  description: "Reads the workspace and writes a plan for a change. Changes nothing.",
  prompt: `You plan a change to a workspace and do not make it. You can search and read, and change nothing.

Read the code concerned before you decide. Answer with the plan: the steps in order with the files of each, what could go wrong, and how to check that it works. Name the alternatives that you rejected, and what is still open.`,
  read_only: true,
  disallowed_tools: NOT_FOR_READERS,
};

/** The kinds that always exist. A file of the workspace can't replace them: nobody has trusted it. */
export const BUILT_IN: readonly AgentDefinition[] = [GENERAL, EXPLORE, PLAN];

/**
 * Why a file of the workspace can't define a kind with this name: it is the name of a built-in kind, or looks like it.
 * Nobody has trusted the file.
 */
export function builtInProblem(name: string): string | undefined {
  const taken = BUILT_IN.find((kind) => plainName(kind.name) === plainName(name));
  if (taken !== undefined)
    return `${JSON.stringify(taken.name)} is built in; give the definition another name.`;
  if (
    /\p{Script=Latin}/u.test(name) &&
    /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}]/u.test(name)
  )
    return "its name mixes alphabets, so it looks like another one.";
  return undefined;
}

/** Letters and digits only, however they are encoded. */
function plainName(name: string): string {
  return name
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "");
}
