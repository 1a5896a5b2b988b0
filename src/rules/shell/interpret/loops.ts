import type { CommandNode } from "unbash";
import { LIMITS, type Walk } from "../state/frame.ts";
import { unknown } from "../words/text.ts";

/** `while true; do program & done`: new processes without end. */
export function isEndlessFork(node: Extract<CommandNode, { type: "While" }>): boolean {
  const [test] = node.clause.commands;
  const always = test?.command.type === "Command" && /^(?:true|:)$/.test(test.command.name?.value ?? "");
  const waits = node.body.commands.some(
    ({ command }) =>
      command.type === "Command" && /^(?:sleep|wait|read|break|exit)$/.test(command.name?.value ?? ""),
  );
  return (
    node.kind === "while" &&
    always &&
    !waits &&
    node.body.commands.some((statement) => statement.background === true)
  );
}

const MOST_ROUNDS = 16;

/** Values that a rule is likely to ask about: options, paths, hidden files, secrets. They come first. */
const TELLING = /^[-.~]|[/*?]|secret|key|credential|token|passw/i;

/**
 * The values to walk a loop with. Of many that differ in their numbers only, as `a1 a2 a3`, one stands for all; what is
 * still too much is one unknown value, which no rule takes for harmless.
 */
export function roundsOf(values: readonly string[] | undefined, name: string, walk: Walk): readonly string[] {
  const others = [unknown(`$${name}`)];
  if (values === undefined || values.length === 0) return others;
  const most = Math.min(MOST_ROUNDS, LIMITS.rounds - walk.rounds);
  if (values.length <= most) {
    walk.rounds += values.length;
    return values;
  }
  const kinds = new Map(values.slice(0, LIMITS.steps).map((value) => [value.replaceAll(/\d+/g, "0"), value]));
  const chosen = [...kinds.values()]
    .sort((a, b) => Number(TELLING.test(b)) - Number(TELLING.test(a)))
    .slice(0, most);
  walk.rounds += chosen.length;
  return [...chosen, ...others];
}
