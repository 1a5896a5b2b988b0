import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { expect, it } from "vitest";
import { newProject, type Project } from "./support/project.ts";

/** Puts a Codex on the PATH whose app server lists our entry with this trust, as that of Codex 0.166.0 does. */
function withCodex(project: Project, answer: (file: string) => object | undefined): void {
  const programs = join(project.folder, "bin");
  const file = join(project.environment.HOME ?? "", ".codex/hooks.json");
  mkdirSync(programs);
  const script = `#!${process.execPath}
const answers = { initialize: {}, "hooks/list": ${JSON.stringify(answer(file) ?? null)} };
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  const result = answers[method];
  if (id !== undefined) console.log(JSON.stringify(result === null ? { id, error: { code: -32601 } } : { id, result }));
});
`;
  writeFileSync(join(programs, "codex"), script, { mode: 0o755 });
  project.environment.PATH = [programs, dirname(process.execPath), "/usr/bin:/bin"].join(delimiter);
}

const listed = (file: string, trustStatus: string) => ({
  data: [
    {
      hooks: [
        {
          eventName: "preToolUse",
          command: "mine",
          sourcePath: file,
          enabled: true,
          trustStatus: "untrusted",
        },
        { eventName: "preToolUse", command: "tenterhook hook", sourcePath: file, enabled: true, trustStatus },
      ],
    },
  ],
});

async function installed(answer: (file: string) => object | undefined): Promise<readonly string[]> {
  const project = newProject();
  withCodex(project, answer);
  const rules = 'command contains "x" -> deny("No.")';
  await project.configure([{ name: "a", type: "inline", matcher: { events: ["PreToolUse"] }, rules }]);
  const { stdout } = await project.run(["install", "codex", "--user", "--trust", "--json"]);
  return JSON.parse(stdout).installed[0].notes;
}

const SKIPS = "Codex itself says that it skips ours on PreToolUse.";
const TRUSTS = expect.stringMatching(/^Codex trusts them now/);

it("install asks Codex whether it skips our entry, and believes it more than its own reckoning", async () => {
  const notes = await installed((file) => listed(file, "modified"));
  expect(notes).toContain(SKIPS);
  expect(notes).not.toContainEqual(TRUSTS);
});

it.each([
  ["trusts it", (file: string) => listed(file, "trusted")],
  ["lists no hooks of that file", () => ({ data: [] })],
  ["has no such list", () => undefined],
])("install says that Codex trusts our entry when it %s", async (_, answer) => {
  const notes = await installed(answer);
  expect(notes).toContainEqual(TRUSTS);
  expect(notes).not.toContain(SKIPS);
});
