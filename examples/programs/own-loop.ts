// Hooks around the tools of a loop that you have already.
import { createHooks, deny, rewrite, ToolDeniedError } from "tenterhook";

const hooks = createHooks();
hooks.on("PreToolUse", { name: "no-drop", tools: "query" }, ({ tool_input }) =>
  /\bdrop\b/i.test(String(tool_input.sql)) ? deny("Tables stay.") : undefined,
);
hooks.on("PostToolUse", { name: "no-mails", tools: "query" }, ({ tool_response }) =>
  rewrite(String(tool_response).replaceAll(/\S+@\S+/g, "[mail]")),
);

/** What a model of yours would ask for. */
const calls = [{ sql: "select mail from users" }, { sql: "drop table users" }];

const session = await hooks.session({ session_id: "own-loop", cwd: process.cwd() });
for (const tool_input of calls) {
  try {
    const answer = await hooks.toolCall({
      session_id: "own-loop",
      tool_name: "query",
      tool_input,
      execute: async ({ sql }) => `${String(sql)}: ann@example.com`,
    });
    console.log(answer);
  } catch (error) {
    if (!(error instanceof ToolDeniedError)) throw error;
    console.log(`refused: ${error.message}`);
  }
}
await session.end("done");
