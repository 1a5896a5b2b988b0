import { describe, expect, it } from "vitest";
import { readReply, verdictOf } from "../../src/adapters/claude/mod/question.js";
import { LAST_GATE_FLAG, LAST_GATE_PATH } from "../../src/adapters/claude/mod/wire.js";
import { daemonPlace } from "../../src/monitor/report/daemon-place.ts";
import { moduleLoads } from "./support/last-gate.ts";
import { shellCall } from "./support/project.ts";
import { sendCall } from "./support/send-call.ts";
import { call, servedProject } from "./support/served-project.ts";

const verdictIn = (text: string): unknown => {
  const reply = readReply(text);
  return reply === undefined ? undefined : verdictOf(reply);
};

describe("the last gate", () => {
  it("is told by the daemon, and without one by our program, what was decided about a call", async () => {
    const rules = 'command contains "rm" -> deny("Not that.")';
    const matcher = { events: ["PreToolUse"] };
    const project = await servedProject([{ name: "none", type: "inline", matcher, rules }]);
    const { TENTERHOOK_DAEMON: _, ...environment } = project.environment;
    await moduleLoads(project);
    const { hookSocket = "" } = daemonPlace(environment);
    const { cwd } = project;
    const payload = (command: string): string =>
      JSON.stringify({ session_id: "s1", cwd, tool_use_id: "t1", ...shellCall(command) });
    const fromDaemon = async (command: string): Promise<unknown> => {
      const { reply } = await sendCall(
        hookSocket,
        { cwd, environment, text: payload(command) },
        LAST_GATE_PATH,
      );
      return verdictIn(reply.stdout);
    };
    await call(project, shellCall("ls"));
    const denied = { action: "deny", reason: "Not that." };
    expect([await fromDaemon("ls"), await fromDaemon("rm x")]).toEqual([{ action: "pass" }, denied]);
    expect(project.journal()).toHaveLength(2);
    const alone = await project.start(["hook", LAST_GATE_FLAG], payload("rm x"));
    expect([alone.code, verdictIn(alone.stdout)]).toEqual([0, denied]);
    expect(project.journal()).toHaveLength(2);
  });
});
