import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { createHooks } from "tenterhook";
import { applyConfig, loadConfig } from "tenterhook/config";
import { expect, it } from "vitest";
import { saysNothing } from "../../src/cli/hook/quick/plain-line.ts";
import { runs } from "../support/soak.ts";
import { newProject } from "./support/project.ts";

const PROGRAMS =
  "rm|rm -r|mv|cp|cp -r|ln -s|ln -sf|touch|tee|truncate -s 0|chmod 000|git checkout|git restore|git stash|git stash -u|git reset --hard|git rm|git mv|env -C .claude rm|tar -C .tenterhook -xf|rsync -a|dd if=/dev/null|npm uninstall|npx|ls|cat|sed -i s/a/b/|install -m 644|make -C|claude --bare|codex --disable hooks|pkill|unlink|rmdir|find . -delete -name|tar -xf a.tar|unzip a.zip".split(
    "|",
  );
const WORDS =
  "a.txt src src/a.ts dist .claude .claude/settings.json .CLAUDE Settings.json settings.json .tenterhook hooks.yaml hooks.local.yaml guard.sh hooks/guard.sh hooks tenterhook trust link link/settings.json linked of=settings.json . .. / -f -- main HEAD ../project .claude/../src -C.claude -t.claude -tlink -d.tenterhook -vt.claude -C/ -t..".split(
    " ",
  );

it("a hook that is left out of a plain line had nothing to say", async () => {
  const project = newProject();
  for (const folder of ["src", "dist", "sub"]) mkdirSync(join(project.cwd, folder));
  project.write("hooks/guard.sh", "exit 0\n");
  project.write(".claude/settings.json", "{}\n");
  writeFileSync(join(project.cwd, "a.txt"), "");
  symlinkSync(".claude", join(project.cwd, "link"));
  symlinkSync(".claude/settings.json", join(project.cwd, "linked"));
  symlinkSync("../.claude/settings.json", join(project.cwd, "sub/linked"));
  await project.configure([
    { name: "guard", type: "command", command: "sh hooks/guard.sh", matcher: { events: ["Stop"] } },
  ]);
  const config = await loadConfig({ cwd: project.cwd, environment: project.environment });
  const [guard] = config.guards;
  if (guard === undefined) throw new Error("there is no guard");
  const hooks = createHooks();
  await applyConfig(hooks, config);
  let leftOut = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...PROGRAMS),
      fc.array(fc.constantFrom(...WORDS), { maxLength: 3 }),
      fc.constantFrom("", "src", "sub", ".claude"),
      async (program, words, folder) => {
        const tool_input = { command: [program, ...words].join(" ") };
        const cwd = join(project.cwd, folder);
        if (!saysNothing(guard, { cwd, tool_input })) return;
        leftOut += 1;
        const event = { hook_event_name: "PreToolUse", session_id: "s", cwd, tool_name: "Bash" } as const;
        const { action } = await hooks.fire({ ...event, tool_input });
        expect([tool_input.command, folder, action]).toEqual([tool_input.command, folder, "continue"]);
      },
    ),
    { numRuns: runs(600, 20_000) },
  );
  expect(leftOut).toBeGreaterThan(50);
}, 120_000);

it("an everyday line is left out", async () => {
  const project = newProject();
  await project.configure([
    { name: "stop", type: "command", command: "true", matcher: { events: ["Stop"] } },
  ]);
  const { guards } = await loadConfig({ cwd: project.cwd, environment: project.environment });
  const [guard] = guards;
  const isLeftOut = (command: string) =>
    guard !== undefined && saysNothing(guard, { cwd: project.cwd, tool_input: { command } });
  expect(["npm run build", "ls -la src", "git status", "rm -rf dist"].map(isLeftOut)).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(["find -delete", 'echo "x"', "rm -rf .claude", "cat a > b"].map(isLeftOut)).toEqual([
    false,
    false,
    false,
    false,
  ]);
  const inputs = [
    { timeout: 20_000, cwd: "" },
    { description: "Build", is_background: false },
    { Cwd: project.cwd },
    { cwd: ".claude" },
    { path: "src" },
  ];
  const isLeftOutWith = (more: object) =>
    guard !== undefined &&
    saysNothing(guard, { cwd: project.cwd, tool_input: { command: "npm run build", ...more } });
  expect(inputs.map(isLeftOutWith)).toEqual([true, true, true, false, false]);
});
