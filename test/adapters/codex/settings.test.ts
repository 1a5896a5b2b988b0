import { describe, expect, it } from "vitest";
import { codexSettings } from "../../../src/adapters/codex/integration.ts";
import { codexTrust } from "../../../src/adapters/codex/trust.ts";
import { hookCommand } from "../../../src/adapters/settings/hook-command.ts";

const CLOSED = hookCommand({ gate: true }, "goes on");
const wanted = (events: readonly string[], tools?: readonly string[]) =>
  codexSettings.wanted([{ events, timeout: 30, ...(tools === undefined ? {} : { tools }) }]).events;

describe("the hooks.json of Codex", () => {
  it("calls us for the events that hooks need: gates refuse when we are missing", () => {
    const text = codexSettings.install(undefined, wanted(["PreToolUse", "Stop", "SessionEnd"], ["Bash"]));
    expect(JSON.parse(text ?? "")).toEqual({
      hooks: {
        PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command: CLOSED, timeout: 600 }] }],
        Stop: [{ hooks: [{ type: "command", command: hookCommand({ gate: false }), timeout: 600 }] }],
        SessionEnd: [{ hooks: [{ type: "command", command: hookCommand({ gate: false }), timeout: 3 }] }],
      },
    });
    expect(codexSettings.uninstall(text)).toBeUndefined();
    expect(codexSettings.installed(text)).toEqual(["SessionEnd", "PreToolUse", "Stop"]);
  });

  it("calls us for apply_patch where hooks look at edits", () => {
    expect(wanted(["PreToolUse"], ["Edit", "Write"])).toMatchObject([{ matcher: "apply_patch" }]);
    expect(wanted(["PreToolUse"], ["mcp__github__*"])).toMatchObject([{ matcher: "^(?:mcp__github__.*)$" }]);
  });

  it("keeps the hooks of others to the byte, also when one stands in our group", () => {
    const before = '{ "hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": "mine" }] }] } }\n';
    const text = codexSettings.install(before, wanted(["Stop", "PreToolUse"]));
    expect(codexSettings.install(text, wanted(["Stop", "PreToolUse"]))).toBe(text);
    expect(codexSettings.uninstall(text)).toBe(before);
  });

  it("is strict JSON, or Codex reads none of it", () => {
    expect(codexSettings.unread('{ // mine\n "hooks": {} }')).toEqual({
      why: "Codex reads strict JSON only, and line 1 holds a comment",
      strippable: true,
    });
  });
});

describe("a hooks.json that Codex rejects whole", () => {
  const stop = (handler: object) => ({ hooks: { Stop: [{ hooks: [{ type: "command", ...handler }] }] } });
  it.each([
    [{ version: 1, hooks: {} }, '"version"'],
    [{ $schema: "x", hooks: {} }, '"$schema"'],
    [{ PreToolUse: [] }, '"PreToolUse"'],
    [stop({ command: "a", timeout: 1.5 }), "hooks.Stop.0.hooks.0.timeout must be a whole number from 0"],
    [stop({ type: "http", url: "http://x" }), "hooks.Stop.0.hooks.0.type must be one of command"],
    [stop({}), "hooks.Stop.0.hooks.0.command must be a string"],
    [{ hooks: { Stop: [{ matcher: 3, hooks: [] }] } }, "hooks.Stop.0.matcher must be a string"],
  ])("is known by what is wrong in %j", (settings, why) => {
    const unread = codexSettings.unread(JSON.stringify(settings));
    expect(unread).toEqual({ why: expect.stringContaining(why), strippable: false });
  });

  it.each([
    { description: "Ours", hooks: { Stop: [{ matcher: null, hooks: [] }], later: 3 } },
    stop({ command: "a", own: 1, timeout: 5, async: true }),
  ])("is not said of %j", (settings) => {
    expect(codexSettings.unread(JSON.stringify(settings))).toBeUndefined();
  });
});

it("our entry comes behind the user's own, whose trust depends on their places", () => {
  const own = { hooks: [{ type: "command", command: "mine" }] };
  const written = JSON.stringify({ hooks: { PreToolUse: [own], Stop: [own, own] } });
  const after = codexSettings.install(written, wanted(["PreToolUse", "Stop"])) ?? "";
  const commands = (event: string) =>
    JSON.parse(after).hooks[event].map((group: { hooks: { command: string }[] }) => group.hooks[0]?.command);
  expect([commands("PreToolUse"), commands("Stop")]).toEqual([
    ["mine", CLOSED],
    ["mine", "mine", hookCommand({ gate: false })],
  ]);
});

describe("the trust of Codex", () => {
  const file = "/home/dev/app/.codex/hooks.json";
  const text = codexSettings.install(undefined, wanted(["PreToolUse", "Stop"]));
  const record = '# mine\nmodel = "gpt-5.5" # the best one\n';

  it("is recorded for our entries alone, with every comment where it was, and taken back", () => {
    expect(codexTrust.untrusted({ file, text }, record)).toEqual(["PreToolUse", "Stop"]);
    const granted = codexTrust.grant({ file, text }, record);
    expect(granted?.startsWith(record)).toBe(true);
    expect(granted).toContain(`[hooks.state."${file}:pre_tool_use:0:0"]\ntrusted_hash = "sha256:`);
    expect(codexTrust.untrusted({ file, text }, granted)).toEqual([]);
    expect(codexTrust.grant({ file, text }, granted)).toBe(granted);
    expect(codexTrust.moved({ file, text }, { file, text: undefined }, granted)).toBe(record);
  });

  it("goes with every entry that moves, ours or not, and is not given to another one in its place", () => {
    const hook = (command: string) => ({ hooks: [{ type: "command", command }] });
    const ours = { hooks: [{ type: "command", command: hookCommand({ gate: false }), timeout: 600 }] };
    const written = (...groups: readonly object[]) => JSON.stringify({ hooks: { Stop: groups } });
    const state = (at: number, lines: string) => `\n[hooks.state."${file}:stop:${at}:0"]\n${lines}\n`;
    const before = { file, text: written(hook("a"), hook("b"), hook("off"), ours) };
    const trusted = codexTrust.grant(
      before,
      `${record}${state(0, 'trusted_hash = "sha256:a"')}${state(1, 'trusted_hash = "sha256:b"')}${state(2, 'enabled = false\ntrusted_hash = "sha256:off"')}`,
    );
    const after = { file, text: written(hook("b"), hook("off"), ours) };
    const moved = codexTrust.moved(before, after, trusted);
    expect(codexTrust.untrusted(after, moved)).toEqual([]);
    expect(moved).toContain(state(0, 'trusted_hash = "sha256:b"'));
    expect(moved).not.toMatch(/stop:1:0|stop:3:0|sha256:off|sha256:a"/);
    expect(codexTrust.moved(before, before, trusted)).toBe(trusted);
  });

  it("is lost by another command, timeout, matcher or place, and by a user who turned it off", () => {
    const granted = codexTrust.grant({ file, text }, record) ?? "";
    const changed = (from: string | RegExp, to: string) =>
      codexTrust.untrusted({ file, text: text?.replace(from, to) }, granted);
    expect(changed('"timeout": 600', '"timeout": 601')).toEqual(["PreToolUse"]);
    expect(changed('"PreToolUse": [', '"PreToolUse": [{ "hooks": [] },')).toEqual(["PreToolUse"]);
    expect(codexTrust.untrusted({ file: "/elsewhere/hooks.json", text }, granted)).toHaveLength(2);
    const off = granted.replace(/(?<=stop:0:0"\]\n)/, "enabled = false\n");
    expect(codexTrust.untrusted({ file, text }, off)).toEqual(["Stop"]);
  });
});
