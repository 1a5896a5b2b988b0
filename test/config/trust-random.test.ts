import { readdirSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { grantTrust, loadConfig, reviewTrust } from "tenterhook/config";
import { expect, it } from "vitest";
import { loadConfigCached } from "../../src/config/open.ts";
import { runs } from "../support/long.ts";
import { project } from "./support/project.ts";

const FILES: Readonly<Record<string, string>> = {
  "hooks.yaml": `hooks:
  use: [./team.yaml]
  disabled: [off]
  definitions:
    - { name: a, type: command, command: sh a.sh now, matcher: { events: [PreToolUse] } }
    - { name: b, type: module, module: ./b.ts, matcher: { events: [Stop] } }
permissions: { deny: [Bash] }
`,
  "team.yaml": `hooks: { definitions: [{ name: off, type: http, url: "http://localhost/1", matcher: { events: [Stop] } }] }\n`,
  "project/a.sh": "echo one\necho two\n",
  "project/b.ts": "export default () => undefined;\n",
};

it("trust holds exactly as long as no byte changed that is hashed, and comes back with it", async () => {
  const files = project(FILES);
  await files.trust();
  const hashed = ["hooks.yaml", "team.yaml", "project/a.sh", "project/b.ts"];
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...hashed),
      fc.nat(),
      fc.integer({ min: 0, max: 255 }),
      fc.boolean(),
      async (file, place, byte, cached) => {
        const load = cached ? loadConfigCached : loadConfig;
        const before = Buffer.from(FILES[file] ?? "");
        const after = Buffer.from(before);
        const at = place % after.length;
        after[at] = byte;
        files.write(file, after);
        const same = before.equals(after);
        // A configuration that does not parse any more is no question of trust.
        const state = await load(files.options).then(
          ({ trust, broken }) => (broken === undefined ? trust.state : "broken"),
          () => "broken",
        );
        expect(file.endsWith(".yaml") && state === "broken" ? "untrusted" : state).toBe(
          same ? "trusted" : "untrusted",
        );
        files.write(file, before);
        expect((await load(files.options)).trust.state).toBe("trusted");
      },
    ),
    { numRuns: runs(8) },
  );
});

it("what no configuration names can change without a question", async () => {
  const files = project(FILES);
  await files.trust();
  files.write("project/other.sh", "anything\n");
  expect((await loadConfig(files.options)).trust.state).toBe("trusted");
});

it("several that grant at once lose nothing", async () => {
  const count = runs(12);
  const names = Array.from({ length: count }, (_, number) => `h${number}`);
  const hook = (name: string) =>
    `{ name: ${name}, type: command, script: ./${name}.sh, matcher: { events: [Stop] } }`;
  const files = project({ "hooks.yaml": `hooks: { definitions: [${names.map(hook).join(", ")}] }` });
  const review = await reviewTrust(files.options);
  const parts = [0, 1, 2].map((part) => review.items.filter((_, index) => index % 3 === part));
  const grantAll = async (items: typeof review.items) => {
    for (const { id } of items) await grantTrust(review, { ...files.options, only: [id] });
  };
  await Promise.all(parts.map(grantAll));
  expect((await reviewTrust(files.options)).items.map(({ state }) => state)).toEqual(
    ["hooks.yaml", ...names].map(() => "trusted"),
  );
  const folder = files.path("state/tenterhook/trust");
  const [key = ""] = readdirSync(folder);
  // Old versions do not pile up.
  expect(readdirSync(join(folder, key)).length).toBeLessThanOrEqual(4);
});
