import { describe, expect, it } from "vitest";
import { claudeTable } from "../../../src/adapters/claude/claude.ts";
import { filesIn, folderText, ownedFolder } from "../../../src/adapters/settings/owned-folder.ts";
import { thrown } from "../../support/thrown.ts";

const settings = ownedFolder({
  table: claudeTable,
  usualSeconds: 60,
  toolEvents: new Set(),
  prompts: new Map(),
  comment: "#",
  head: "#!/bin/sh\n",
  bodyFor: (events) => `exec tenterhook hook ${events.map(({ native }) => native).join(" ")}\n`,
  nameOf: (native) => native.replace(/^Subagent/, "").concat(".sh"),
});
const wantedFor = (...events: readonly string[]) => settings.wanted([{ events, timeout: 5 }]).events;
const events = wantedFor("PreToolUse", "Stop", "SubagentStop");
const installed = settings.install(undefined, events);
const lastLines = (text: string | undefined) =>
  Object.fromEntries([...filesIn(text)].map(([name, file]) => [name, file?.trim().split("\n").at(-1)]));

describe("a folder with a file of ours for each event", () => {
  it("gets the files that hooks need, and again only when these change", () => {
    expect(lastLines(installed)).toEqual({
      "PreToolUse.sh": "exec tenterhook hook PreToolUse",
      "Stop.sh": "exec tenterhook hook Stop SubagentStop",
    });
    expect(settings.install(installed, events)).toBe(installed);
    expect(settings.installed(installed)).toEqual(["PreToolUse", "Stop", "SubagentStop"]);
    expect(settings.entered(installed)).toEqual(events);
    expect(settings.drifted(installed, events)).toEqual([]);
  });

  it("loses the files that hooks no longer need, and by uninstall all of them", () => {
    expect(Object.keys(lastLines(settings.install(installed, wantedFor("Stop"))))).toEqual(["Stop.sh"]);
    expect([settings.install(installed, []), settings.uninstall(installed)]).toEqual([undefined, undefined]);
  });

  it("is reported when somebody changed one of them", () => {
    const changed = folderText(
      new Map([...filesIn(installed)].map(([name, text]) => [name, text?.replace("hook PreToolUse", "x")])),
    );
    expect(settings.drifted(changed, events)).toMatchObject([
      { native: "PreToolUse", gate: true, different: ["code"] },
    ]);
    expect(settings.install(changed, events)).toBe(installed);
  });

  it("keeps a file that somebody else wrote, and says so when ours would need its name", () => {
    const own = folderText(new Map([["Stop.sh", "#!/bin/sh\necho mine\n"]]));
    expect([settings.uninstall(own), settings.installed(own)]).toEqual([own, []]);
    expect(filesIn(settings.install(own, wantedFor("PreToolUse"))).get("Stop.sh")).toContain("echo mine");
    expect(thrown(() => settings.install(own, events))).toEqual([
      "settings_unreadable",
      "Tenterhook did not write Stop.sh there.",
    ]);
  });
});
