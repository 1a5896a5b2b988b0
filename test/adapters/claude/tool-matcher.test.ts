import { describe, expect, it } from "vitest";
import { claudeSettings } from "../../../src/adapters/claude/integration.ts";

const hook = (tools?: readonly string[], events = ["PreToolUse"]) => ({
  events,
  timeout: 30,
  ...(tools === undefined ? {} : { tools }),
});
const matcherFor = (...hooks: readonly ReturnType<typeof hook>[]) =>
  claudeSettings.wanted(hooks).events.map(({ matcher }) => matcher);

describe("the tools for which Claude Code has to call us", () => {
  it.each([
    ["a name", [["Write"]], "Write"],
    ["names of several hooks", [["Write"], ["Read|Write"]], "Read|Write"],
    ["a tool that has two names there", [["Task"]], "Agent|Task"],
    ["another agent's name of a tool", [["shell"]], "Bash|Monitor|PowerShell"],
    ["the shells", [["Bash"]], "Bash|Monitor|PowerShell"],
    ["a tool we do not know", [["Skill"]], "Skill"],
    ["a tool of a server", [["mcp__srv__read"]], "mcp__srv__read"],
    ["the tools of a server", [["mcp__srv__*", "Write"]], "^(?:Write|mcp__srv__.*)$"],
    ["a glob that fits another agent's name", [["run_*"]], "^(?:Bash|Monitor|PowerShell|run_.*)$"],
  ])("are those that hooks name: %s", (_what, tools, matcher) => {
    expect(matcherFor(...tools.map((list) => hook(list)))).toEqual([matcher]);
  });

  it.each([
    ["a hook wants all", [hook(["Write"]), hook()]],
    ["a hook has an expression", [hook(["/Wri/"])]],
    ["a glob has more than stars", [hook(["mcp__{a,b}__*"])]],
    ["a name has an odd character", [hook(["mcp__a.b__c"])]],
  ])("are all when %s", (_what, hooks) => {
    expect(matcherFor(...hooks)).toEqual([undefined]);
  });

  it("do not matter on events without a tool", () => {
    expect(matcherFor(hook(["Write"], ["Stop"]))).toEqual([undefined]);
  });

  it("include those with which it waits for a human", () => {
    expect(matcherFor(hook(["Write"]), hook(undefined, ["AgentPrompt"]))[0]).toBe(
      "AskUserQuestion|EnterPlanMode|ExitPlanMode|Write",
    );
  });

  it("are found in the settings again: the same matcher is no drift, a narrower one on a gate is serious", () => {
    const { events } = claudeSettings.wanted([hook(["Write", "Read"])]);
    const text = claudeSettings.install(undefined, events);
    expect(claudeSettings.drifted(text, events)).toEqual([]);
    const drift = (tools?: readonly string[]) =>
      claudeSettings.drifted(text, claudeSettings.wanted([hook(tools)]).events);
    const found = { native: "PreToolUse", different: ["matcher"] };
    expect(drift(["Write"])).toEqual([{ ...found, gate: false, narrow: false }]);
    expect(drift(["Write", "Bash"])).toEqual([{ ...found, gate: true, narrow: true }]);
    expect(drift()).toEqual([{ ...found, gate: true, narrow: true }]);
  });
});

describe("the files that Claude Code has to watch", () => {
  const watch = (files?: readonly string[]) =>
    claudeSettings
      .wanted([{ events: ["claude:FileChanged"], timeout: 30, ...(files === undefined ? {} : { files }) }])
      .events.map(({ matcher }) => matcher);

  it("are those that hooks name", () => {
    expect(watch([".envrc", ".env"])).toEqual([".env|.envrc"]);
    expect(watch(["src/*.ts"])).toEqual([undefined]);
    expect(watch()).toEqual([undefined]);
  });
});
