import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { adapterFor } from "../../src/adapters/agents.ts";
import { ownName, rowsFor } from "../../src/adapters/codec/agent-table.ts";
import { integrationOf } from "../../src/adapters/integrations.ts";
import type { HookInForce } from "../../src/adapters/settings/agent-settings.ts";
import { UNGUARDED_AGENTS } from "../../src/adapters/unguarded-agents.ts";
import { AGENT_NAMES } from "../../src/core/events/agent-names.ts";
import { checkHandler } from "../../src/core/registration/handler-types.ts";
import { RESUMED_HOSTS } from "../../src/monitor/report/sources.ts";
import { readShell, toolOf } from "../../src/rules/fields/shell-text.ts";
import { AGENTS } from "../../src/rules/shell/programs/rows/agents.ts";
import { AGENT_FOLDERS, AGENT_SETTINGS, MANAGED_SETTINGS } from "../../src/shared/protected-files.ts";

/** Agents whose calls look like Claude Code's: only the environment tells who sent one. */
const OF_CLAUDE = ["qwen"];
const PLACES = { root: "/home/dev/app", home: "/home/dev", environment: {} };

it("has a row for every agent that has a folder", () => {
  const adapters = join(import.meta.dirname, "../../src/adapters");
  const folders = readdirSync(adapters).filter((name) => existsSync(join(adapters, name, "integration.ts")));
  expect(AGENT_NAMES.toSorted()).toEqual(folders.toSorted());
});

describe.each(AGENT_NAMES)("the integration of %s", (name) => {
  it("has the name of its row and of its table", async () => {
    const { adapter, table } = await integrationOf(name);
    expect([adapter.name, table.name]).toEqual([name, name]);
  });

  it("can continue a session if the monitor offers to", async () => {
    const { resume } = await integrationOf(name);
    expect(resume !== undefined).toBe(RESUMED_HOSTS.has(name));
  });

  it("has a program that the shell analysis knows as an agent's", async () => {
    const { program, isEditor } = await integrationOf(name);
    const known = Object.keys(AGENTS).flatMap((names) => names.split(" "));
    expect(isEditor === true || known.includes(program)).toBe(true);
  });

  it("is not one of those that nobody could run", () => {
    expect(UNGUARDED_AGENTS.map((one) => one.name)).not.toContain(name);
  });

  it("may be named by written_for exactly if hooks are imported from it", async () => {
    const { importing } = await integrationOf(name);
    const hook = { command: "true", written_for: name };
    const check = () => checkHandler(hook, "command", {}, "hook");
    if (importing === undefined) expect(check).toThrow("written_for");
    else expect(check).not.toThrow();
  });

  it("sends a call of the shell that is known for its own and judged as a command", async () => {
    const { adapter, shellCall } = await integrationOf(name);
    const usual = { hook_event_name: "PreToolUse", session_id: "s", cwd: "/app", tool_name: "Bash" };
    const payload = shellCall?.("git push", "/app") ?? { ...usual, tool_input: { command: "git push" } };
    if (shellCall !== undefined && !OF_CLAUDE.includes(name))
      expect((await adapterFor(payload, {})).name).toBe(name);
    const event = adapter.decode(payload);
    expect(event).toMatchObject({ hook_event_name: "PreToolUse", host: name, native: payload });
    expect([toolOf(event), readShell(event).texts]).toEqual(["Bash", ["git push"]]);
  });

  it("has settings that self-protection covers", async () => {
    const { scopes, settingsFile, settingsNames = [""], trust, switches } = await integrationOf(name);
    const files = [
      ...(switches?.files?.(PLACES) ?? []).map(({ file }) => file),
      ...scopes.flatMap((scope) => settingsNames.map((own) => join(settingsFile(scope, PLACES), own))),
      ...(trust ? [trust.file(PLACES)] : []),
    ];
    const covered = [
      ...MANAGED_SETTINGS,
      ...[PLACES.root, PLACES.home].flatMap((root) => AGENT_SETTINGS.map((file) => join(root, file))),
    ];
    expect(files.filter((file) => !covered.includes(file))).toEqual([]);
  });

  it("has its settings in folders that nobody writes to without asking", async () => {
    const { scopes, settingsFile } = await integrationOf(name);
    // A file next to the project's own is guarded by its name: self-protection has it.
    const files = scopes
      .map((scope) => settingsFile(scope, PLACES))
      .filter((file) => dirname(file) !== PLACES.root);
    const folders = AGENT_FOLDERS.flatMap((folder) =>
      [PLACES.root, PLACES.home].map((root) => join(root, folder)),
    );
    expect(files.filter((file) => !folders.some((folder) => file.startsWith(`${folder}/`)))).toEqual([]);
  });

  it("asks about every change and about prompts for a human at the same time", async () => {
    const { settings } = await integrationOf(name);
    const guard: HookInForce = { events: ["PreToolUse"], timeout: 5, only_changes: true };
    const prompts: HookInForce = { events: ["AgentPrompt"], timeout: 600, observes: true };
    expect(settings.wanted([guard, prompts]).events).not.toEqual([]);
  });

  it("finds each of its rows by our name of the event", async () => {
    const { table } = await integrationOf(name);
    const lost = Object.entries(table.events).filter(
      ([native, { event }]) =>
        !rowsFor(table, event ?? ownName(table, native)).some(([found]) => found === native),
    );
    expect(lost).toEqual([]);
  });

  it("declares the events that only it has, and no other", async () => {
    const { adapter, table } = await integrationOf(name);
    const own = Object.values(table.events).filter(({ event }) => event === undefined);
    expect(own.every(({ declares }) => declares !== undefined)).toBe(true);
    expect(Object.keys(adapter.declarations).every((event) => event.startsWith(`${name}:`))).toBe(true);
  });
});
