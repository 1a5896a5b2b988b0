import type { ClaudeRun } from "../../support/claude.ts";

export const COLOUR_QUESTION = {
  question: "Which colour?",
  header: "Colour",
  multiSelect: false,
  options: [
    { label: "Blue", description: "Like the sky" },
    { label: "Red", description: "Like a rose" },
  ],
};

/** A model that writes its plan into the file that Claude Code names, and asks for its approval. */
export function planningModel(): NonNullable<ClaudeRun["model"]> {
  let requests = 0;
  return ({ body }) => {
    requests += 1;
    const [file_path] = /[^\s"]+\/plans\/[\w-]+\.md/.exec(JSON.stringify(body.messages)) ?? [];
    if (requests === 1) return [["Write", { file_path, content: "1. Write it." }]];
    return requests === 2 ? [["ExitPlanMode", {}]] : "All done.";
  };
}

/** A host whose own dialog nobody answers: an agent that goes on was answered by the monitor. */
export const silentHost: NonNullable<ClaudeRun["host"]> = (message, child) => {
  if (message.type === "result") child.stdin.end();
};
