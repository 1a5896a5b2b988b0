import { indexText } from "../fields.ts";
import type { Subject } from "../subject.ts";
import { fold } from "./pattern.ts";
import type { Requirement } from "./requirements.ts";

/**
 * The index of a one-shot process: nothing is built, the texts of a rule are simply looked for. Returns the test
 * whether a rule with these requirements can hold for the event; each field is read once.
 */
export function occurrenceTest(subject: Subject): (requirements: readonly Requirement[]) => boolean {
  const texts = new Map<string, string>();
  return (requirements) =>
    requirements.every((requirement) =>
      requirement.some(({ field, text }) => {
        let within = texts.get(field.key);
        if (within === undefined) {
          within = fold(indexText(field, subject));
          texts.set(field.key, within);
        }
        return within.includes(text);
      }),
    );
}
