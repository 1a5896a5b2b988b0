import { expect, it } from "vitest";
import { intoShadow, withoutShadow } from "../../src/config/edit/edits.ts";

const file = "hooks.yaml";

it.each([
  [
    "a hook with lines of its own",
    `hooks:
  definitions:
    - type: inline
      name: guard # ours
      rules: x
    - name: next
`,
    "guard",
    `hooks:
  definitions:
    - type: inline
      name: guard # ours
      rules: x
      mode: shadow
    - name: next
`,
  ],
  [
    "a hook in one line",
    "hooks: { definitions: [{ name: guard, type: inline }] }\n",
    "guard",
    "hooks: { definitions: [{ name: guard, type: inline, mode: shadow }] }\n",
  ],
  [
    "a hook that says it is enforced",
    "hooks:\n  definitions:\n    - name: guard\n      mode: enforce\n",
    "guard",
    "hooks:\n  definitions:\n    - name: guard\n      mode: shadow\n",
  ],
  [
    "a pack",
    "hooks:\n  use: [safe-shell, git-safety]\n",
    "git-safety",
    "hooks:\n  use: [safe-shell, { pack: git-safety, mode: shadow }]\n",
  ],
])("%s is put into shadow mode, and comes out of it again", (_, before, name, after) => {
  expect(intoShadow(file, before, name)).toBe(after);
  expect(withoutShadow(file, after, name)).not.toContain("shadow");
});

it("a file that only a person can change says how", () => {
  expect(() => intoShadow("hooks.json", "{}", "guard")).toThrow("hooks.json can't be changed here.");
});
