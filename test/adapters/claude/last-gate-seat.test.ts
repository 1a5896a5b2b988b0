import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { claudeLastGate } from "../../../src/adapters/claude/last-gate-seat.ts";
import { parseRecord } from "../../../src/core/base/json.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const FOLDER = "/home/me/.local/state/tenterhook/seat/claude";
const seat = claudeLastGate("/nowhere/managed-settings.json", () => "/home/me/.claude/settings.json");
const seated = (text: string | undefined, isManaged = false) => seat.install(text, FOLDER, isManaged);

describe("the seat of our plug-in in Claude Code's settings", () => {
  it("is the first, from a folder marketplace", () => {
    expect(parseRecord(seated(undefined) ?? "")).toEqual({
      extraKnownMarketplaces: { tenterhook: { source: { source: "directory", path: FOLDER } } },
      enabledPlugins: { "tenterhook@tenterhook": true },
      prependPlugins: ["tenterhook@tenterhook"],
    });
    expect(seat.folderIn(seated(undefined))).toBe(FOLDER);
  });

  it("comes before the plug-ins that are there, and stays so when it is installed again", () => {
    const text = seated('{ "prependPlugins": ["theirs@x", "others@x"] }');
    expect(parseRecord(text ?? "").prependPlugins).toEqual(["tenterhook@tenterhook", "theirs@x", "others@x"]);
    expect(seated(text)).toBe(text);
    const behind = text?.replace(
      '"tenterhook@tenterhook", "theirs@x"',
      '"theirs@x", "tenterhook@tenterhook"',
    );
    expect(seat.folderIn(behind)).toBeUndefined();
    expect(parseRecord(seated(behind) ?? "").prependPlugins).toEqual([
      "tenterhook@tenterhook",
      "theirs@x",
      "others@x",
    ]);
  });

  it.each([
    ["switched off", '"tenterhook@tenterhook": true', '"tenterhook@tenterhook": false'],
    ["taken from another folder", FOLDER, "/elsewhere"],
  ])("is restored when it was %s", (_, from, to) => {
    const text = seated("{}");
    const changed = text?.replace(from, to);
    expect(changed).not.toBe(text);
    expect(seat.folderIn(seated(changed))).toBe(FOLDER);
  });

  it("keeps the guard that Claude Code brings along beside it in managed settings", () => {
    expect(parseRecord(seated("{}", true) ?? "").prependPlugins).toEqual([
      "tenterhook@tenterhook",
      "sec-default@builtin",
    ]);
    const text = seated('{ "prependPlugins": ["sec-default@builtin", "x@y"] }', true);
    expect(parseRecord(text ?? "").prependPlugins).toEqual([
      "tenterhook@tenterhook",
      "sec-default@builtin",
      "x@y",
    ]);
  });

  const members = ["prependPlugins", "enabledPlugins", "extraKnownMarketplaces"].map((name) =>
    name === "prependPlugins"
      ? ([name, fc.uniqueArray(fc.constantFrom("a@x", "b@x"))] as const)
      : ([name, fc.constantFrom({}, { "a@x": true })] as const),
  );

  it("is taken out to the byte", () => {
    const settings = fc.record(Object.fromEntries(members), { requiredKeys: [] });
    fc.assert(
      fc.property(settings, fc.constantFrom(undefined, 2, "\t"), fc.boolean(), (value, indent, isManaged) => {
        const text = JSON.stringify({ model: "opus", ...value }, undefined, indent);
        // What stands in a list of the machine stays in it.
        fc.pre(!isManaged || !("prependPlugins" in value));
        expect(seat.uninstall(seated(text, isManaged))).toBe(text);
      }),
    );
    expect(seat.uninstall(seated(undefined))).toBeUndefined();
    expect(seat.uninstall(seated("{}\n", true))).toBe("{}\n");
  });

  it("is overruled where managed settings say anything, in the file or next to it", () => {
    const folder = temporaryFolder();
    const file = join(folder, "managed-settings.json");
    const managed = claudeLastGate(file, () => file);
    expect(managed.overruledBy()).toBeUndefined();
    writeFileSync(file, "{}");
    expect(managed.overruledBy()).toBeUndefined();
    const dropIn = join(folder, "managed-settings.d/a.json");
    mkdirSync(join(folder, "managed-settings.d"));
    writeFileSync(dropIn, '{ "cleanupPeriodDays": 9 }');
    expect(managed.overruledBy()).toBe(dropIn);
    writeFileSync(file, '{ "cleanupPeriodDays": 9 }');
    expect(managed.overruledBy()).toBe(file);
  });

  it("is forgotten by Claude Code's own list, too, unless that has another folder", () => {
    const places = { root: "/p", home: "/home/me", environment: {} };
    const { file, without } = seat.listed(places);
    expect(file).toBe("/home/me/.claude/plugins/known_marketplaces.json");
    const entry = (path: string) => ({ source: { source: "directory", path }, installLocation: path });
    const theirs = JSON.stringify({ tenterhook: entry("/elsewhere") }, undefined, 2);
    expect(without(theirs, FOLDER)).toBe(theirs);
    const both = JSON.stringify({ official: {}, tenterhook: entry(FOLDER) }, undefined, 2);
    expect(without(both, FOLDER)).toBe(JSON.stringify({ official: {} }, undefined, 2));
  });
});

it("plug-ins that act by themselves are listed wherever Claude Code reads them", () => {
  const home = temporaryFolder();
  const write = (name: string, content: string | object): void => {
    mkdirSync(join(home, name, ".."), { recursive: true });
    writeFileSync(join(home, name), typeof content === "string" ? content : JSON.stringify(content));
  };
  const mod = (folder: string, name: string): void => {
    write(`${folder}/.claude-plugin/plugin.json`, { name });
    write(`${folder}/hooks/hooks.json`, { modules: ["./register.js"] });
    write(`${folder}/hooks/register.js`, 'on("session.start", ($) => $.process.run(["ls"]));');
  };
  mod("market/spy", "spy");
  mod("named/dirs", "dirs");
  mod(".claude/skills/skilled", "skilled");
  write("market/.claude-plugin/marketplace.json", { plugins: [{ name: "spy", source: "./spy" }] });
  write(".claude/settings.json", {
    enabledPlugins: { "spy@m": true },
    extraKnownMarketplaces: { m: { source: { source: "directory", path: join(home, "market") } } },
  });
  const environment = { HOME: home, CLAUDE_CODE_PLUGIN_DIRS: join(home, "named") };
  const found = seat.actingMods({ root: join(home, "project"), home, environment });
  expect(found.map(({ id }) => id?.split("@")[0]).sort()).toEqual(["dirs", "skilled", "spy"]);
});
