import { isRecord } from "../base/json.ts";
import type { NamedToolOptions } from "./hook.ts";
import type { HookOptions } from "./typed-hook.ts";

/** The options of a hook with the names of its tools in place of the tools. What else is wrong with them is found later. */
export function withToolNames(options: HookOptions): NamedToolOptions;
export function withToolNames(options: unknown): unknown;
export function withToolNames(options: unknown): unknown {
  if (!isRecord(options)) return options;
  const { tools, matcher } = options;
  return {
    ...options,
    ...(tools === undefined ? {} : { tools: namesIn(tools) }),
    ...(matcher === undefined ? {} : { matcher: withToolNames(matcher) }),
  };
}

/** The names in a list, the name of a tool, or the keys of tools by name. */
function namesIn(tools: unknown): unknown {
  if (Array.isArray(tools)) return tools.map((tool) => (isRecord(tool) ? tool.name : tool));
  if (!isRecord(tools)) return tools;
  return typeof tools.name === "string" ? tools.name : Object.keys(tools);
}
