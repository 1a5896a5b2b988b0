import { mkdirSync } from "node:fs";
import { createHooks } from "tenterhook";
import { followConfig, loadConfig } from "tenterhook/config";
import { describe, expect, it } from "vitest";
import { applyConfig } from "../../src/config/combine/apply.ts";
import { bashCall } from "../support/events.ts";
import { hooksFile, project } from "./support/project.ts";

const USER = "user/tenterhook/hooks.yaml";

describe("defects seen in other systems are impossible here", () => {
  it("9: inline rules in a file never load", async () => {
    const files = project({
      [USER]: `hooks:
  definitions:
    - name: listed
      type: inline
      matcher: { events: [PreToolUse], tools: [bash] }
      inline_rules: [{ field: args.command, operator: contains, value: listed, action: deny, reason: by list }]
    - name: lines
      type: inline
      matcher: { events: [PreToolUse], tools: [bash] }
      rules: |
        args.command contains "lines" -> deny("by line")
`,
    });
    const hooks = createHooks();
    await applyConfig(hooks, await loadConfig(files.options));
    const reasons = ["listed", "lines", "other"].map(
      async (command) => (await hooks.fire(bashCall(command))).reason,
    );
    expect(await Promise.all(reasons)).toEqual(["by list", "by line", undefined]);
  });

  it("10: enable and disable have no effect until a restart", async () => {
    const files = project({ [USER]: hooksFile("guard") });
    const hooks = createHooks();
    const followed = await followConfig(hooks, files.options);
    const asked = async () => (await hooks.fire(bashCall("guard"))).action;
    const disabled = hooksFile("guard").replace('"hooks": {', '"hooks": { "disabled": ["guard"],');
    expect(await asked()).toBe("deny");
    files.write(USER, disabled);
    expect(await asked()).toBe("continue");
    files.write(USER, hooksFile("guard"));
    expect(await asked()).toBe("deny");
    followed.close();
    // By name in the program, too.
    await applyConfig(hooks, await loadConfig(files.options));
    hooks.disable("guard");
    expect(await asked()).toBe("continue");
    hooks.enable("guard");
    expect(await asked()).toBe("deny");
  });

  it.each([
    ["hooks: { definitons: [] }", 'hooks has the unknown key "definitons". Did you mean "definitions"?'],
    ["permisions: {}", 'The file has the unknown key "permisions". Did you mean "permissions"?'],
    [
      "hooks: { definitions: [{ name: a, type: inline, rules: '', mather: {}, matcher: { events: [Stop] } }] }",
      'Hook "a" has the unknown key "mather". Did you mean "matcher"?',
    ],
  ])("18: an unknown config key is ignored: %s", async (text, message) => {
    const files = project({ [USER]: text });
    const [code, problem] = await files.refused();
    expect([code, problem]).toEqual(["config_invalid", expect.stringContaining(message)]);
    const hooks = createHooks();
    const followed = await followConfig(hooks, files.options);
    const { action, reason } = await hooks.fire(bashCall("ls"));
    followed.close();
    expect([action, reason]).toEqual(["deny", expect.stringContaining(message)]);
  });
});

it("a start in a subdirectory obeys the project's hooks", async () => {
  const files = project({ "hooks.yaml": hooksFile("guard") });
  const cwd = files.path("project/src/deep");
  mkdirSync(cwd, { recursive: true });
  await files.trust();
  const hooks = createHooks();
  const followed = await followConfig(hooks, { ...files.options, cwd });
  expect((await hooks.fire(bashCall("guard", { cwd }))).action).toBe("deny");
  followed.close();
});
