import { describe, expect, it } from "vitest";
import { claudeSettings } from "../../../src/adapters/claude/integration.ts";
import { hookCommand } from "../../../src/adapters/settings/hook-command.ts";

const GUARD = { events: ["PreToolUse", "PermissionRequest"], timeout: 30 };
const TESTS = { events: ["Stop"], timeout: 400 };

describe("the events Claude Code is asked for", () => {
  it("are those that hooks need, with a timeout beyond all our own", () => {
    expect(claudeSettings.wanted([GUARD, TESTS, { events: ["Stop"], timeout: 30 }])).toEqual({
      events: [
        { native: "PreToolUse", gate: true, timeout: 600 },
        { native: "PermissionRequest", gate: true, timeout: 600 },
        { native: "Stop", gate: false, timeout: 890 },
      ],
      never_sent: [],
    });
  });

  it("Claude Code is asked for events by its own names", () => {
    const events = ["ModelSwitch", "Error", "claude:ConfigChange", "claude:OfNextYear"];
    expect(claudeSettings.wanted([{ events, timeout: 5 }]).events.map(({ native }) => native)).toEqual([
      "StopFailure",
      "PreModelSwitch",
      "ConfigChange",
      "OfNextYear",
    ]);
  });

  it("show that it waits for a human, for hooks on AgentPrompt and for the monitor", () => {
    const prompt = { events: ["AgentPrompt"], timeout: 900 };
    const matcher = "ExitPlanMode|AskUserQuestion|EnterPlanMode";
    const events = [
      { native: "PreToolUse", matcher },
      { native: "PermissionRequest" },
      { native: "PostToolUse", matcher },
      { native: "Notification" },
    ];
    expect(claudeSettings.wanted([prompt])).toEqual({
      events: events.map((event) => ({ ...event, gate: false, timeout: 930 })),
      never_sent: [],
    });
    expect(claudeSettings.wanted([prompt, GUARD]).events).toEqual([
      { native: "PreToolUse", gate: true, timeout: 990 },
      { native: "PermissionRequest", gate: true, timeout: 1020 },
      { native: "PostToolUse", gate: false, timeout: 930, matcher },
      { native: "Notification", gate: false, timeout: 930 },
    ]);
  });

  it("show the monitor an agent's state without being able to stop it", () => {
    const watching = {
      events: ["UserPromptSubmit", "SessionEnd", "TurnStart"],
      timeout: 0,
      observes: true,
    } as const;
    expect(claudeSettings.wanted([watching])).toEqual({
      events: [
        { native: "SessionEnd", gate: false, timeout: 600 },
        { native: "UserPromptSubmit", gate: false, timeout: 600 },
      ],
      never_sent: [],
    });
    const guard = { events: ["UserPromptSubmit"], timeout: 10 };
    expect(claudeSettings.wanted([watching, guard]).events).toContainEqual(
      expect.objectContaining({ native: "UserPromptSubmit", gate: true }),
    );
  });

  it("wait for the gates that judge a rewritten permission, and for hooks on Error that a failing hook has told", () => {
    const hooks = [
      { events: ["PermissionRequest"], timeout: 10 },
      { events: ["PreToolUse"], timeout: 2000 },
      { events: ["Error"], timeout: 5000 },
    ];
    expect(claudeSettings.wanted(hooks).events).toEqual([
      { native: "PreToolUse", gate: true, timeout: 2 * 2000 + 5000 + 30 },
      { native: "PermissionRequest", gate: true, timeout: 2 * 10 + 2000 + 2 * 5000 + 30 },
      { native: "StopFailure", gate: false, timeout: 2 * 5000 + 30 },
    ]);
  });

  it("are gates when they can be refused, also those of a later version", () => {
    const events = ["claude:ConfigChange", "claude:WorktreeCreate", "claude:CwdChanged", "claude:OfNextYear"];
    const wanted = claudeSettings.wanted([{ events, timeout: 5 }]).events;
    expect(wanted.map(({ native, gate }) => [native, gate])).toEqual([
      ["ConfigChange", true],
      ["WorktreeCreate", true],
      ["CwdChanged", false],
      ["OfNextYear", true],
    ]);
  });

  it("leave out what it never sends", () => {
    expect(claudeSettings.wanted([{ events: ["PreIteration", "codex:Thing"], timeout: 5 }])).toEqual({
      events: [],
      never_sent: ["PreIteration", "codex:Thing"],
    });
  });
});

describe("the monitor can wake it", () => {
  const OWN = '"$CLAUDE_PROJECT_DIR"/node_modules/.bin/tenterhook';
  const WATCH = { events: ["Stop", "Error"], timeout: 0, observes: true, wakes: true } as const;
  const { events } = claudeSettings.wanted([WATCH]);
  const calls = { type: "command", command: hookCommand({ gate: false }), timeout: 600 };
  const waits = {
    type: "command",
    command: hookCommand({ gate: false }).replace(/ hook$/, " agent wake"),
    asyncRewake: true,
    timeout: 86_400,
    rewakeMessage: "A message from the monitor of your user:",
    rewakeSummary: "Message from the monitor",
  };

  it("by a second hook in the background, where a turn ends", () => {
    const text = claudeSettings.install(undefined, events);
    const groups = [{ hooks: [calls, waits] }];
    expect(JSON.parse(text ?? "")).toEqual({ hooks: { Stop: groups, StopFailure: groups } });
    expect(claudeSettings.install(text, events)).toBe(text);
    expect(claudeSettings.drifted(text, events)).toEqual([]);
    expect(claudeSettings.unread(text)).toBeUndefined();
    expect(claudeSettings.entered(text)).toEqual(events);
    expect(claudeSettings.uninstall(text)).toBeUndefined();
  });

  it("by the project's own copy of the program, but not where Node is called", () => {
    const [stop] = events;
    const commands = (command: string) =>
      stop &&
      claudeSettings
        .install(undefined, [{ ...stop, command }])
        ?.match(/(?<="command": ").*(?=",$)/gm)
        ?.map((found) => JSON.parse(`"${found}"`));
    const calling = (command: string) => hookCommand({ gate: false, command });
    const own = calling(`${OWN} hook`);
    expect(commands(`${OWN} hook`)).toEqual([own, own.replace(/ hook$/, " agent wake")]);
    expect(commands("node cli.js hook")).toEqual([calling("node cli.js hook")]);
  });

  it("after install has run again, when the entry is from before or the monitor is no more", () => {
    const plain = claudeSettings.wanted([{ ...WATCH, wakes: undefined }].map(({ wakes: _, ...one }) => one));
    const before = claudeSettings.install(undefined, plain.events);
    expect(
      claudeSettings.drifted(before, events).map(({ native, gate, different }) => [native, gate, different]),
    ).toEqual([
      ["Stop", false, ["waker"]],
      ["StopFailure", false, ["waker"]],
    ]);
    const after = claudeSettings.install(before, events);
    expect(claudeSettings.drifted(after, events)).toEqual([]);
    expect(claudeSettings.install(after, plain.events)).toBe(before);
    // Both ways to call the program are right; another timeout is not.
    const own = events.map((event) => ({ ...event, command: `${OWN} hook` }));
    expect(claudeSettings.drifted(claudeSettings.install(undefined, own), events)).toEqual([]);
    const [changed] = claudeSettings.drifted(after?.replaceAll("86400", "5"), events);
    expect(changed?.different).toEqual(["waker"]);
  });
});

describe("its settings file", () => {
  const { events } = claudeSettings.wanted([GUARD]);
  const theirs =
    '{\n    "model": "opus", // mine\n    "hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": []}]}\n}\n';

  it("gets one entry an event, closed on gates", () => {
    const text = claudeSettings.install(undefined, events);
    const entry = {
      hooks: [{ type: "command", command: hookCommand({ gate: true }), timeout: 600, onFailure: "block" }],
    };
    expect(JSON.parse(text ?? "")).toEqual({ hooks: { PreToolUse: [entry], PermissionRequest: [entry] } });
    expect(claudeSettings.installed(text)).toEqual(["PreToolUse", "PermissionRequest"]);
  });

  it("is known by the plain command, too, which install makes the one that says when we are gone", () => {
    const installed = claudeSettings.install(undefined, events);
    const plain = JSON.stringify({
      hooks: Object.fromEntries(
        events.map(({ native, timeout }) => [
          native,
          [{ hooks: [{ type: "command", command: "tenterhook hook", timeout, onFailure: "block" }] }],
        ]),
      ),
    });
    expect(claudeSettings.drifted(plain, events)).toEqual([]);
    expect(JSON.parse(claudeSettings.install(plain, events) ?? "")).toEqual(JSON.parse(installed ?? ""));
    expect(claudeSettings.installed(claudeSettings.uninstall(plain))).toEqual([]);
  });

  it("has a gate that lost its onFailure, which is not taken for one that only watches", () => {
    const text = claudeSettings.install(undefined, events)?.replaceAll(/,\s*"onFailure": "block"/g, "");
    expect(text).not.toContain("onFailure");
    expect(claudeSettings.entered(text).map(({ gate }) => gate)).toEqual([true, true]);
    expect(claudeSettings.drifted(text, events)).toMatchObject([
      { native: "PreToolUse", gate: true, different: ["onFailure"] },
      { native: "PermissionRequest", gate: true, different: ["onFailure"] },
    ]);
  });

  it("gets an entry for some tools only", () => {
    const [asked] = claudeSettings.wanted([{ events: ["AgentPrompt"], timeout: 5 }]).events;
    const text = claudeSettings.install(undefined, asked === undefined ? [] : [asked]);
    expect(JSON.parse(text ?? "")).toEqual({
      hooks: {
        PreToolUse: [
          {
            matcher: "ExitPlanMode|AskUserQuestion|EnterPlanMode",
            hooks: [{ type: "command", command: hookCommand({ gate: false }), timeout: 600 }],
          },
        ],
      },
    });
    expect(claudeSettings.uninstall(text)).toBeUndefined();
  });

  it("does not change when the same is installed again", () => {
    const once = claudeSettings.install(theirs, events);
    expect(claudeSettings.install(once, events)).toBe(once);
  });

  it("follows when other events are needed", () => {
    const before = claudeSettings.install(theirs, events);
    const after = claudeSettings.install(before, claudeSettings.wanted([TESTS]).events);
    expect(claudeSettings.installed(after)).toEqual(["Stop"]);
    expect(claudeSettings.uninstall(after)).toBe(theirs);
  });

  it("is not removed when the user added another hook to it", () => {
    const command = (name: string) => ({ type: "command", command: name });
    const group = (...hooks: readonly object[]) => JSON.stringify({ hooks: { Stop: [{ hooks }] } });
    const shared = group(command("tenterhook hook"), command("x"));
    expect(claudeSettings.installed(shared)).toEqual(["Stop"]);
    expect(claudeSettings.uninstall(shared)).toBe(group(command("x")));
  });

  it("loses a group that calls us twice, and not the one behind it", () => {
    const us = { type: "command", command: "tenterhook hook" };
    const group = (...hooks: readonly object[]) => ({ hooks });
    const other = group({ type: "command", command: "x" });
    const text = JSON.stringify({ hooks: { Stop: [group(us, us), other] } });
    expect(claudeSettings.uninstall(text)).toBe(JSON.stringify({ hooks: { Stop: [other] } }));
  });

  it("keeps an entry where it is that is as it should be", () => {
    const once = claudeSettings.install(undefined, events) ?? "";
    const more = once.replace(/\}\n {4}\],/, '}, // ours\n      {"hooks": []}\n    ],');
    expect(more).not.toBe(once);
    expect(claudeSettings.install(more, events)).toBe(more);
    expect(claudeSettings.install(more.replace("600", "1"), events)).toContain("// ours");
  });

  it("is reported as drifted, with what differs", () => {
    const handler = { type: "command", command: "tenterhook hook", timeout: 1, async: true };
    const text = JSON.stringify({ hooks: { PreToolUse: [{ matcher: "Write", hooks: [handler] }] } });
    expect(claudeSettings.drifted(text, events)).toEqual([
      {
        native: "PreToolUse",
        gate: true,
        narrow: true,
        different: ["matcher", "timeout", "onFailure", "async"],
      },
    ]);
    expect(claudeSettings.drifted(claudeSettings.install(text, events), events)).toEqual([]);
  });

  it.each([
    [
      "a comment",
      '{\n  "a": "//", // mine\n  "b": 1\n}',
      "line 2 holds a comment",
      '{\n  "a": "//",\n  "b": 1\n}',
    ],
    [
      "a comment of its own line",
      '{\n  /* mine */\n  "b": 1\n}\n',
      "line 2 holds a comment",
      '{\n  "b": 1\n}\n',
    ],
    [
      "a trailing comma",
      '{\n  "a": [1,],\n}',
      "line 2 holds a comma before a closing bracket",
      '{\n  "a": [1]\n}',
    ],
  ])("is not read by Claude Code with %s", (_what, text, why, readable) => {
    expect(claudeSettings.unread(text)).toEqual({
      why: `Claude Code reads strict JSON only, and ${why}`,
      strippable: true,
    });
    expect(claudeSettings.readable(text)).toBe(readable);
    expect(claudeSettings.unread(readable)).toBeUndefined();
  });

  it("is read with a byte order mark", () => {
    expect(claudeSettings.unread('\uFEFF{"a": 1}')).toBeUndefined();
  });
});
