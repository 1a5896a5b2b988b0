import { yesOrNo } from "../../core/base/yes-or-no.ts";
import type { DecisionSource, HumanDecision } from "../../core/contracts/monitor.ts";
import type { Choice } from "./resolve.ts";

/** What any other text means: a plan is revised by it, a permission refused with it. */
const WITH_TEXT: Readonly<Partial<Record<DecisionSource, string>>> = { plan: "revise", permission: "deny" };

const YES: readonly string[] = ["accept", "allow"];
const NO: readonly string[] = ["cancel", "deny"];

/**
 * Reads what a person wrote as a choice: the number or the label of an option, `label: message`, yes or no, or a message
 * for the option that takes one.
 */
export function choiceOf({ options, source }: HumanDecision, said: string): Choice {
  const text = said.trim();
  if (text === "") return { choices: [] };
  const labels = options.map(({ label }) => label);
  const isLabel = (word: string): boolean =>
    labels.some((label) => label.toLowerCase() === word.toLowerCase());
  if (options.length === 0 || /^\d+$/.test(text) || isLabel(text)) return { choices: [text] };
  const [, name = "", message = ""] = /^(\w+)\s*:\s*(.+)$/s.exec(text) ?? [];
  if (isLabel(name)) return { choices: [name], message };
  const answer = yesOrNo(text);
  const plain = labels.find((label) => (answer === true ? YES : answer === false ? NO : []).includes(label));
  if (plain !== undefined) return { choices: [plain] };
  const label = WITH_TEXT[source];
  return label === undefined ? { choices: [text] } : { choices: [label], message: text };
}
