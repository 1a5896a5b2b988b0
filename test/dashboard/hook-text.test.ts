import { expect, it } from "vitest";
import { placeOf, textAt, withTextAt } from "../../src/cli/configured-hooks/hook-text.ts";

const FILE = `# Ours.
hooks:
  definitions:
    - name: first # the first
      type: inline
      rules: |
        command runs "rm" -> deny("No.")

    # About the second.
    - name: second
      type: inline
  disabled: [third]
`;

it("a definition is cut out as it would stand by itself, and put back where it was", () => {
  const place = placeOf("hooks.yaml", FILE, 4);
  const text = textAt(FILE, place);
  expect(text).toBe('name: first # the first\ntype: inline\nrules: |\n  command runs "rm" -> deny("No.")');
  expect(withTextAt(FILE, place, text)).toBe(FILE);
  const changed = withTextAt(FILE, place, "name: first\ntype: command\n\ncommand: ls\n");
  expect(changed).toBe(`# Ours.
hooks:
  definitions:
    - name: first
      type: command

      command: ls

    # About the second.
    - name: second
      type: inline
  disabled: [third]
`);
});

it("of a file that is no YAML, and of a list in brackets, the whole is shown", () => {
  expect(textAt('{"hooks":{}}', placeOf("hooks.json", '{"hooks":{}}', 1))).toBe('{"hooks":{}}');
  const flow = "hooks: { definitions: [{ name: a }] }\n";
  expect(textAt(flow, placeOf("hooks.yaml", flow, 1))).toBe(flow);
});
