import { stringify } from "yaml";
import type { Config } from "../../config.ts";
import { isRecord } from "../../core/base/json.ts";
import { canonicalToolName } from "../../core/match/tool-names.ts";
import { actualOf } from "../cases/actual.ts";
import { tryHooks } from "../tried-hooks.ts";
import { judgedOf } from "./judged.ts";
import type { ChangedCall, Replay } from "./tally.ts";

/** Makes a case of each changed call, the same call once. What a case expects was decided about the case itself. */
export async function savedCases({ changed }: Replay, config: Config) {
  const tried = await tryHooks(config, { modules: false });
  const cases = new Map<string, object>();
  // Calls that are decided differently without their secrets or their full length.
  let differing = 0;
  try {
    for (const call of changed) {
      const event = eventOf(call);
      const key = JSON.stringify(event);
      if (cases.has(key)) continue;
      const whole = { session_id: `case ${cases.size}`, cwd: config.trust.root, ...event };
      const found = await tried.fire(whole);
      const { would, action } = judgedOf(found);
      if ((would === "rewrite" ? would : action) !== call.now.action) {
        differing += 1;
        continue;
      }
      const { rule: _, context: _context, messages: _messages, output: _output, ...expect } = actualOf(found);
      cases.set(key, { name: nameOf(call), event, expect });
    }
  } finally {
    await tried.close();
  }
  return { text: stringify({ cases: [...cases.values()] }, { lineWidth: 0 }), cases: cases.size, differing };
}

function eventOf({ tool_name, tool_input, cwd }: ChangedCall): object {
  const folder = cwd === undefined ? {} : { cwd };
  if (tool_name === "UserPromptSubmit" || tool_name === "Stop")
    return { hook_event_name: tool_name, ...folder, ...(isRecord(tool_input) ? tool_input : {}) };
  return { hook_event_name: "PreToolUse", ...folder, tool_name, tool_input };
}

function nameOf({ tool_name, tool_input, now }: ChangedCall): string {
  const { command } = isRecord(tool_input) ? tool_input : {};
  const what = typeof command === "string" ? command : canonicalToolName(tool_name);
  const [line = ""] = what.split("\n");
  return `${now.action}: ${line.slice(0, 100)}`;
}
