import { symlinkSync } from "node:fs";
import { createHooks } from "tenterhook";
import type { Config } from "tenterhook/config";
import { describe, expect, it } from "vitest";
import { applyConfig } from "../../src/config/combine/apply.ts";
import { bashCall } from "../support/events.ts";
import { size } from "../support/long.ts";
import { project } from "./support/project.ts";

const MANAGED = `hooks:
  managed_by: "the platform team, #agents"
  use: [git-safety]
  definitions:
    - { name: no-publish, type: inline, matcher: { events: [PreToolUse] }, rules: 'command contains "npm publish" -> deny("Releases go through CI.")' }
permissions: { deny: ["Bash(terraform destroy:*)"], mode: default }
`;
const WHOLE = `hooks: { definitions: [{ name: no-publish, type: inline, matcher: { events: [PreToolUse] }, `;
const FOR_ALL = `hooks: { definitions: [{ name: mine, type: inline, matcher: { events: [PreToolUse] }, `;
const PUBLISH = "npm publish --access public";

/** What a file below the managed one says to get round it. */
const WAYS: readonly (readonly [way: string, text: string])[] = [
  ["names the hook in disabled", "hooks: { disabled: [no-publish] }"],
  ["names the pack in disabled", "hooks: { disabled: [git-safety] }"],
  ["names a hook of the pack in disabled", "hooks: { disabled: [git-safety-shared] }"],
  ["names a rule of the pack in disabled", "hooks: { disabled: [git-push-main] }"],
  ["puts its own file in shadow", "hooks: { mode: shadow }"],
  ["uses the pack in shadow", "hooks: { use: [{ pack: git-safety, mode: shadow }] }"],
  [
    "has a hook of the same name that allows",
    `${WHOLE}rules: 'command contains "npm" -> allow("Mine.")' }] }`,
  ],
  [
    "has a hook of the same name in shadow",
    `${WHOLE}mode: shadow, rules: 'command contains "x" -> deny("x")' }] }`,
  ],
  [
    "has a hook of the same name that is off",
    `${WHOLE}enabled: false, rules: 'command contains "x" -> deny("x")' }] }`,
  ],
  [
    "allows before everybody else",
    `${FOR_ALL}priority: 1, rules: 'command contains "npm" -> allow("Mine.")' }] }`,
  ],
  [
    "allows after everybody else",
    `${FOR_ALL}priority: 1000000, rules: 'command contains "npm" -> allow("Mine.")' }] }`,
  ],
  [
    "allows and ends the list",
    `${FOR_ALL}priority: 1, short_circuit: true, rules: 'command contains "npm" -> allow("Mine.")' }] }`,
  ],
  [
    "rewrites what comes after the managed hooks",
    `${FOR_ALL}priority: 1000000, rules: 'command equals "echo hi" -> set(args.command, "${PUBLISH}")' }] }`,
  ],
  [
    "asks not to be checked again after its rewrite",
    `${FOR_ALL}priority: 1000000, recheck: false, rules: 'command equals "echo hi" -> set(args.command, "${PUBLISH}")' }] }`,
  ],
  [
    "lets failures pass",
    `${FOR_ALL}on_failure: open, rules: 'command contains "npm" -> allow("Mine.")' }] }`,
  ],
  [
    "answers in its place",
    `${FOR_ALL}priority: 1, rules: 'command contains "npm" -> answer("published")' }] }`,
  ],
  [
    "rewrites the call twice, away and back",
    `hooks: { definitions: [
      { name: away, type: inline, matcher: { events: [PreToolUse] }, priority: 1, rules: 'command contains "npm publish" -> set(args.command, "echo hi")' },
      { name: back, type: inline, matcher: { events: [PreToolUse] }, priority: 1000000, rules: 'command equals "echo hi" -> set(args.command, "${PUBLISH}")' }] }`,
  ],
  [
    "names the hook in disabled with a pattern",
    'hooks: { disabled: ["no-*", "* until 2999-01-01T00:00:00Z"] }',
  ],
  ["uses another pack of the same name", "hooks: { use: [git-safety], disabled: [git-safety] }"],
  ["switches the daemon off", "daemon: false"],
  ["sets a timeout that nothing meets", "hooks: { timeout: 0.001 }"],
  ["says who manages the hooks", "hooks: { managed_by: nobody }"],
  ["allows the call by a permission", 'permissions: { allow: ["Bash(npm publish:*)"] }'],
  ["bypasses permissions", "permissions: { mode: bypass }"],
  ["switches self-protection off", "self_protection: { enabled: false }"],
  ["empties the list of hooks", "hooks: { definitions: [], use: [], disabled: [] }"],
  ["has no hooks at all", "hooks: {}"],
  ["empties the refusals of permissions", "permissions: { deny: [] }"],
  ["asks where the managed file refuses", 'permissions: { ask: ["Bash(terraform destroy:*)"] }'],
  ["allows what the managed file refuses", 'permissions: { allow: ["Bash(terraform destroy:*)", "Bash"] }'],
  ["accepts edits without a question", "permissions: { mode: accept-edits }"],
  [
    "asks a person before everybody else",
    `${FOR_ALL}priority: 1, rules: 'command contains "npm" -> ask("Publish?")' }] }`,
  ],
  [
    "rewrites the call to a harmless one that runs the same",
    `${FOR_ALL}priority: 1, rules: 'command contains "npm publish" -> set(args.command, "sh -c \\"npm publish\\"")' }] }`,
  ],
  [
    "rewrites a harmless call in two steps",
    `hooks: { definitions: [
      { name: one, type: inline, matcher: { events: [PreToolUse] }, priority: 999999, rules: 'command equals "echo hi" -> set(args.command, "echo ho")' },
      { name: two, type: inline, matcher: { events: [PreToolUse] }, priority: 1000000, rules: 'command equals "echo ho" -> set(args.command, "${PUBLISH}")' }] }`,
  ],
  ["allows every command", 'permissions: { allow: ["Bash(*)"] }'],
  [
    "has a hook of the same name that fails open",
    `${WHOLE}on_failure: open, rules: 'command contains "x" -> deny("x")' }] }`,
  ],
  [
    "has a hook of the same name for other tools",
    `hooks: { definitions: [{ name: no-publish, type: inline, matcher: { events: [PreToolUse], tools: [Read] }, rules: 'command contains "x" -> deny("x")' }] }`,
  ],
  [
    "has a hook of the same name for another event",
    `hooks: { definitions: [{ name: no-publish, type: inline, matcher: { events: [PostToolUse] }, rules: 'command contains "x" -> deny("x")' }] }`,
  ],
  ["disables everything", 'hooks: { disabled: ["* until 2999-01-01T00:00:00Z"] }'],
  ["uses the pack itself, in a file in shadow", "hooks: { mode: shadow, use: [git-safety] }"],
  [
    "allows when the agent asks for a permission",
    `hooks: { definitions: [{ name: mine, type: inline, matcher: { events: [PermissionRequest, PreToolUse] }, rules: 'command contains "npm" -> allow("Mine.")' }] }`,
  ],
];

it("there are at least 40 ways to try", () => {
  expect(new Set(WAYS.map(([way]) => way)).size).toBeGreaterThanOrEqual(40);
});

const FILES = {
  user: "user/tenterhook/hooks.yaml",
  project: "hooks.yaml",
  local: "hooks.local.yaml",
} as const;

/** What is decided about these commands, each by its action. */
async function decidedIn(config: Config): Promise<readonly string[]> {
  const hooks = createHooks();
  await applyConfig(hooks, config);
  const actions: string[] = [];
  for (const command of [PUBLISH, "git push origin main", "echo hi"]) {
    const { action, input } = await hooks.fire(bashCall(command));
    const ran = String(Reflect.get(Object(input), "command") ?? command);
    actions.push(action === "deny" ? "deny" : ran === command ? action : `${action}: ${ran}`);
  }
  return actions;
}

/** A repository brings the project's file, so that is tried with all; in `npm test` each of the others with a tenth. */
function waysOf(file: string): typeof WAYS {
  if (file === "project") return WAYS;
  const first = file === "user" ? 0 : 1;
  return WAYS.filter((_, at) => (at + first) % size(10, 1) === 0);
}

describe.each(Object.entries(FILES))(
  "the file of the %s can't weaken the managed one when it",
  (file, path) => {
    it.each(waysOf(file))("%s", async (_way, text) => {
      const config = await project({ "managed/hooks.yaml": MANAGED, [path]: text }).load();
      const [publish, push, echo] = await decidedIn(config);
      expect([publish, push]).toEqual(["deny", "ask"]);
      expect(echo).not.toContain("npm publish");
      expect(config.settings.permissions.deny).toContain("Bash(terraform destroy:*)");
      expect(config.settings.permissions.mode ?? "default").toBe("default");
    });
  },
);

it.each([
  ["is no YAML at all", "hooks: [{"],
  ["has a key that nobody knows", "managed: false"],
  ["names a folder that is not there", "hooks: { use: [./git-safety] }"],
  ["lets every hook fail open", "hooks: { on_failure: open }"],
])("a file that %s does not leave the managed one out: nothing counts until it is right", async (_, text) => {
  const files = project({ "managed/hooks.yaml": MANAGED, [FILES.project]: text });
  await expect(files.load()).rejects.toThrow(files.path("project/.tenterhook/hooks.yaml"));
});

it("a link in the project to the managed file reads the same hooks, and changes none", async () => {
  const files = project({ "managed/hooks.yaml": MANAGED, "hooks.local.yaml": "" });
  symlinkSync(files.path("managed/hooks.yaml"), files.path("project/.tenterhook/hooks.yaml"));
  expect((await decidedIn(await files.load())).slice(0, 2)).toEqual(["deny", "ask"]);
});

it("a refusal of a managed hook says who manages it", async () => {
  const files = project({ "managed/hooks.yaml": MANAGED, "hooks.yaml": "hooks: { managed_by: me }" });
  const hooks = createHooks();
  const config = await files.load();
  await applyConfig(hooks, config);
  expect((await hooks.fire(bashCall(PUBLISH))).reason).toBe(
    "Releases go through CI.\nManaged by the platform team, #agents.",
  );
  expect(config.warnings.map(({ message }) => message)).toEqual([
    "hooks.managed_by applies in the managed file only.",
  ]);
});

it("and names the administrator when the managed file does not say who", async () => {
  const files = project({ "managed/hooks.yaml": MANAGED.replace(/^ {2}managed_by.*\n/m, "") });
  const hooks = createHooks();
  await applyConfig(hooks, await files.load());
  expect((await hooks.fire(bashCall(PUBLISH))).reason).toContain(
    "Managed by the administrator of this machine.",
  );
});
