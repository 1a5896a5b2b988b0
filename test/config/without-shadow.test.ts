import { describe, expect, it } from "vitest";
import { withoutShadow } from "../../src/config/edit/edits.ts";

const around = (hook: string) => `hooks:
  definitions:
${hook}    - name: next
      type: inline
      mode: shadow # stays
      rules: command contains "z" -> deny("No.")
`;

describe("a hook is taken out of shadow mode", () => {
  it.each([
    [
      "with a rule of its own in shadow mode before its key",
      `    - name: guard
      inline_rules:
        - field: command
          mode: shadow
          action: deny
        - { mode: shadow, field: command, action: ask }
        - { field: command, action: ask, mode: shadow }
      mode: shadow # for now
      type: inline
`,
      `    - name: guard
      inline_rules:
        - field: command
          action: deny
        - { field: command, action: ask }
        - { field: command, action: ask }
      type: inline
`,
    ],
    [
      "whose first key it is",
      `    - mode: shadow
      name: guard
      rules: command contains "x" -> shadow deny("No.")
`,
      `    - name: guard
      rules: command contains "x" -> deny("No.")
`,
    ],
    [
      "in braces",
      `    - { name: guard, mode: "shadow", type: inline }
`,
      `    - { name: guard, type: inline }
`,
    ],
  ])("%s", (_, before, after) => {
    expect(withoutShadow("hooks.yaml", around(before), "guard")).toBe(around(after));
  });
});
