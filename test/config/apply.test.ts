import { existsSync } from "node:fs";
import { createHooks } from "tenterhook";
import { internals } from "tenterhook/core";
import { describe, expect, it } from "vitest";
import { applyConfig } from "../../src/config/combine/apply.ts";
import { bashCall } from "../support/events.ts";
import { hooksFile, project } from "./support/project.ts";

describe("applying a configuration", () => {
  it("adds hooks with their origin, disabled ones disabled, and takes them out again", async () => {
    const files = project({
      "hooks.json": hooksFile("a", "b"),
      "hooks.local.yaml": "hooks: { timeout: 3, disabled: [b] }",
    });
    const hooks = createHooks();
    const { remove, failing } = await applyConfig(hooks, await files.load());
    expect(failing).toEqual([]);
    const file = files.path("project/.tenterhook/hooks.json");
    expect(
      hooks.list().map(({ name, enabled, origin, timeout }) => ({ name, enabled, origin, timeout })),
    ).toEqual([
      {
        name: "tenterhook:self-protection",
        enabled: true,
        origin: { scope: "managed", file: "tenterhook", line: 1 },
        timeout: 30,
      },
      { name: "a", enabled: true, origin: { scope: "project", file, line: 4 }, timeout: 30 },
      { name: "b", enabled: false, origin: { scope: "project", file, line: 14 }, timeout: 30 },
    ]);
    expect([(await hooks.fire(bashCall("a"))).action, (await hooks.fire(bashCall("b"))).action]).toEqual([
      "deny",
      "continue",
    ]);
    remove();
    expect(hooks.list()).toEqual([]);
  });

  it("does not load a module that has changed since the configuration was read", async () => {
    const files = project({
      "hooks.yaml":
        "hooks: { definitions: [{ name: x, type: module, module: ./hook.mjs, matcher: { events: [PreToolUse] } }] }",
      "project/hook.mjs": "export default () => {};",
    });
    const config = await files.load();
    files.write(
      "project/hook.mjs",
      'import { writeFileSync } from "node:fs"; writeFileSync(new URL("ran", import.meta.url), ""); export default () => {};',
    );
    const hooks = createHooks();
    const reason = `${files.path("project/hook.mjs")} has changed since it was trusted.`;
    expect((await applyConfig(hooks, config)).failing).toEqual([{ name: "x", reason }]);
    expect(await hooks.fire(bashCall("ls"))).toMatchObject({
      action: "deny",
      reason: expect.stringContaining(`Hook "x" failed (untrusted): ${reason}`),
    });
    expect(existsSync(files.path("project/ran"))).toBe(false);
  });

  it("hands every type that the set has a handler for to it, with its site", async () => {
    const files = project({
      "hooks.yaml": `hooks: { definitions: [
  { name: a, type: command, script: a.sh, timeout: 4, matcher: { events: [Stop] } },
  { name: b, type: any, any: [{ type: http, url: "http://localhost" }], matcher: { events: [Stop] } }] }
models: { judge: x/y }
sandbox: { mode: read-only }`,
    });
    const hooks = createHooks();
    const given: unknown[] = [];
    const set = internals(hooks);
    set.definitions = {
      handles: async () => true,
      prepare: async (definition, site) => {
        given.push([definition, site]);
        const handler = {
          type: "x",
          run: () => undefined,
          ...(definition.name === "a" && { problem: "no key" }),
        };
        return set.prepare("Stop", { name: definition.name }, handler);
      },
    };
    const { failing } = await applyConfig(hooks, await files.load());
    const site = {
      owner: "project",
      root: files.path("project"),
      judge: { model: "x/y" },
      sandbox: "read-only",
    };
    const origin = (line: number) => ({
      scope: "project",
      file: files.path("project/.tenterhook/hooks.yaml"),
      line,
    });
    const common = { enabled: true, matcher: { events: ["Stop"] } };
    expect(given.slice(1)).toEqual([
      [
        { ...common, name: "a", type: "command", script: "a.sh", timeout: 4, origin: origin(2) },
        // It names a file, which is looked at again before it is run.
        { ...site, refusal: expect.any(Function) },
      ],
      [
        {
          ...common,
          name: "b",
          type: "any",
          any: [{ type: "http", url: "http://localhost" }],
          origin: origin(3),
        },
        site,
      ],
    ]);
    expect([failing, hooks.list().map(({ name }) => name)]).toEqual([
      [{ name: "a", reason: "no key" }],
      ["tenterhook:self-protection", "a", "b"],
    ]);
  });

  it("that the set refuses adds nothing", async () => {
    const text = hooksFile("a", "b").replace(/PreToolUse(?!.*PreToolUse)/s, "Notification");
    const files = project({ "hooks.json": text });
    const hooks = createHooks();
    await expect(applyConfig(hooks, await files.load())).rejects.toMatchObject({
      code: "config_invalid",
      message: `${files.path("project/.tenterhook/hooks.json")}:14: Hook "b" has a rule for deny, which Notification can't have (only user_message, abort).`,
    });
    expect(hooks.list()).toEqual([]);
  });
});
