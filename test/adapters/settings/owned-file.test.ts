import { describe, expect, it } from "vitest";
import { claudeTable } from "../../../src/adapters/claude/claude.ts";
import { ownedFile } from "../../../src/adapters/settings/owned-file.ts";
import { thrown } from "../../support/thrown.ts";

const settings = ownedFile({
  table: claudeTable,
  usualSeconds: 60,
  toolEvents: new Set(),
  prompts: new Map(),
  comment: "#",
  head: "#!/bin/sh\n",
  bodyFor: (events) => `exec tenterhook hook ${events.map(({ native }) => native).join(" ")}\n`,
});
const { events } = settings.wanted([{ events: ["PreToolUse", "Stop"], timeout: 5 }]);
const installed = settings.install(undefined, events) ?? "";

describe("a file that is ours as a whole", () => {
  it("is written for the events that hooks need, and again only when these change", () => {
    expect(installed.split("\n").at(0)).toBe("#!/bin/sh");
    expect(installed).toContain("exec tenterhook hook PreToolUse Stop\n");
    expect(settings.install(installed, events)).toBe(installed);
    expect([settings.installed(installed), settings.entered(installed)]).toEqual([
      ["PreToolUse", "Stop"],
      events,
    ]);
    expect(settings.drifted(installed, events)).toEqual([]);
  });

  it("is removed by uninstall, and when no event is needed", () => {
    expect([settings.uninstall(installed), settings.install(installed, [])]).toEqual([undefined, undefined]);
  });

  it("is reported when somebody changed its code, even below an intact first line", () => {
    const changed = installed.replace("exec tenterhook", "exec true");
    expect(settings.drifted(changed, events)).toMatchObject([
      { native: "PreToolUse", gate: true, different: ["code"] },
      { native: "Stop", gate: false, different: ["code"] },
    ]);
    expect(settings.install(changed, events)).toBe(installed);
  });

  it("does more than is needed where folders share it, which is no fault", () => {
    const needed = events.map((event) => ({
      ...event,
      gate: false,
      matcher: "Write",
      of_hooks: true as const,
    }));
    expect(settings.drifted(installed, needed)).toMatchObject([
      { native: "PreToolUse", gate: false, narrow: false, different: ["matcher"] },
      { native: "Stop", gate: false, narrow: false, different: ["matcher"] },
    ]);
    const own = events.map((event) => ({ ...event, command: "node_modules/.bin/tenterhook hook" }));
    expect(settings.drifted(installed, own)).toEqual([]);
  });

  it("is reported by what it lacks: tools, time, the refusal at a gate", () => {
    const [first] = events;
    if (first === undefined) expect.fail("no event");
    const less = settings.install(undefined, [{ ...first, gate: false, matcher: "Write", timeout: 1 }]);
    expect(settings.drifted(less, [first])).toEqual([
      { native: "PreToolUse", gate: true, narrow: true, different: ["matcher", "timeout", "gate"] },
    ]);
  });

  it("is never one that somebody else wrote", () => {
    const own = "#!/bin/sh\necho mine\n";
    expect([settings.uninstall(own), settings.installed(own)]).toEqual([own, []]);
    expect(thrown(() => settings.install(own, events))).toEqual([
      "settings_unreadable",
      "Line 1: Tenterhook did not write this file.",
    ]);
  });
});
