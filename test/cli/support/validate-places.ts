import { stringify as toToml } from "smol-toml";
import { describe, expect, it } from "vitest";
import { stringify as toYaml } from "yaml";
import { chosen } from "../../support/long.ts";
import { newProject, type Project } from "./project.ts";

export type Definition = Readonly<Record<string, unknown>>;

const FORMATS = {
  yaml: (value: unknown) => toYaml(value, { lineWidth: 0 }),
  json: (value: unknown) => JSON.stringify(value, null, 2),
  toml: (value: unknown) => toToml(value as Record<string, unknown>),
};

/** A hook that is right, and stands before the one with a problem. */
export const FIRST = {
  name: "first",
  type: "command",
  command: ["true"],
  matcher: { events: ["PreToolUse"] },
};

function withScripts(): Project {
  const project = newProject();
  project.write("crlf.sh", "#!/bin/sh\r\necho x\r\n");
  project.write("broken.sh", "#!/bin/sh\nif true; then\n");
  return project;
}

interface Found {
  readonly line?: number;
  readonly column?: number;
  readonly message: string;
}

/** What validate finds, with its places. */
export async function placesIn(project: Project): Promise<readonly Found[]> {
  const { stdout } = await project.run(["check", "--json"]);
  const { errors, warnings } = JSON.parse(stdout);
  // That a judge has no model is said of the hook as a whole.
  return [...errors, ...warnings].filter(
    ({ message }: Found) => !/no model|models\.judge|judge/.test(message),
  );
}

/** Where a text begins, with the quote before it. */
export function placeOf(text: string, wanted: string): string {
  const spelled =
    [wanted, JSON.stringify(wanted).slice(1, -1)].find((one) => text.lastIndexOf(one) !== -1) ?? "";
  const found = text.lastIndexOf(spelled);
  const at = /["']/.test(text[found - 1] ?? "") ? found - 1 : found;
  const before = text.slice(0, at).split("\n");
  return `${before.length}:${(before.at(-1) ?? "").length + 1}`;
}

/** What is wrong, the definition, and the text at whose place it is reported: the key or the item itself. */
export function placesSuite(
  problems: readonly (readonly [what: string, definition: Definition, at: string])[],
): void {
  // In `npm test` each problem is written in one format.
  const formats = Object.entries(FORMATS).map((format, at) => {
    const own = problems.filter((_, index) => index % Object.keys(FORMATS).length === at);
    return [...format, chosen(own, problems)] as const;
  });
  describe.each(formats)("validate of hooks.%s places", (extension, write, written) => {
    it.each(written)("%s at itself", async (_, definition, at) => {
      const project = withScripts();
      const defined = Object.fromEntries(
        Object.entries(definition).filter(([, value]) => value !== undefined),
      );
      const text = write({ hooks: { definitions: [FIRST, defined] } });
      project.write(`.tenterhook/hooks.${extension}`, text);
      const found = await placesIn(project);
      expect(found.map(({ line, column }) => `${line}:${column}`)).toEqual([placeOf(text, at)]);
    });
  });
}
