import { project } from "./hook-process.mjs";
import { mixedRules } from "./rules-mix.mjs";

const RULES = 1000;
const HOOKS = 10;

/** A project with a thousand rules in ten hooks. */
export function projectWithRules() {
  const rules = [
    ...mixedRules(RULES - 2).map(({ tool, field, operator, value }) => ({
      all: [
        { field: "tool", operator: "equals", value: tool },
        { field, operator, value },
      ],
      action: "deny",
      reason: "No",
    })),
    { field: "command", operator: "matches", value: "\\bkubectl\\s+delete\\s+namespace\\b", action: "deny" },
    { field: "command", operator: "contains", value: "needs-a-parser", action: "deny" },
  ];
  const size = RULES / HOOKS;
  return project([
    ...Array.from({ length: HOOKS }, (_, number) => ({
      name: `rules-${number}`,
      type: "inline",
      matcher: { events: ["PreToolUse"] },
      inline_rules: rules.slice(number * size, (number + 1) * size),
    })),
    {
      name: "parser",
      type: "inline",
      // For one tool only, so that the other rows measure lines that need no parser.
      matcher: { events: ["PreToolUse"], tools: ["shell_parsed"] },
      inline_rules: [{ field: "command", operator: "runs", value: "terraform destroy", action: "deny" }],
    },
  ]);
}
