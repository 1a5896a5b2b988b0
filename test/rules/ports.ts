import type { RuleEvent, RulePorts } from "../../src/rules/fields/judged-event.ts";

/** Links of a file system that exists only in tests. */
const LINKS: readonly (readonly [string, string])[] = [["/project/link", "/etc"]];

/** Ports without a file system, in which no file is there to be overwritten: `.` and `..` are resolved by text, links come from a table. */
export const ports: RulePorts = {
  home: "/home/ann",
  normalisePath(path, cwd) {
    const from = path.startsWith("~/") ? `/home/ann/${path.slice(2)}` : path;
    const parts: string[] = [];
    for (const part of (from.startsWith("/") ? from : `${cwd}/${from}`).split("/")) {
      if (part === "..") parts.pop();
      else if (part !== "" && part !== ".") parts.push(part);
    }
    const plain = `/${parts.join("/")}`;
    const [link, target] = LINKS.find(([name]) => plain === name || plain.startsWith(`${name}/`)) ?? ["", ""];
    return target + plain.slice(link.length);
  },
  holdsData: () => false,
};

/** A PreToolUse event. */
export function call(tool_name: string, tool_input: unknown, more: RuleEvent = {}): RuleEvent {
  return { hook_event_name: "PreToolUse", session_id: "s", cwd: "/project", tool_name, tool_input, ...more };
}

/** A shell call. It is frozen as the engine's are: hooks that are asked about the same one analyse its line once. */
export function bash(command: unknown): RuleEvent {
  return Object.freeze(call("Bash", Object.freeze({ command })));
}
