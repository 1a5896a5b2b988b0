import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../support/long.ts";
import { newProject, type Project, shellCall } from "./support/project.ts";

const DENIES = {
  name: "no-push",
  type: "inline",
  matcher: { events: ["PreToolUse"] },
  inline_rules: [
    { field: "command", operator: "contains", value: "git push", action: "deny", reason: "Not from here." },
    { field: "command", operator: "matches", value: "rm\\s+-rf", action: "deny", reason: "Not all of it." },
  ],
};
const REFUSAL = {
  hookSpecificOutput: {
    hookEventName: "PreToolUse",
    permissionDecision: "deny",
    permissionDecisionReason: "Not from here.",
  },
};

/** The file that is kept for processes that decide one event. */
function cacheFile({ folder }: Project): string {
  const cache = join(folder, "cache/tenterhook");
  const name = readdirSync(cache).find((file) => file.startsWith("config-"));
  return join(cache, name ?? "");
}

describe("tenterhook hook", () => {
  it("decides from the cache as from the files, and notices each change of them", async () => {
    const project = newProject({ decidesHere: true });
    await project.configure([DENIES]);
    for (let time = 0; time < 2; time += 1) {
      expect(await project.hook(shellCall("ls"))).toEqual({ code: 0, stdout: "", stderr: "" });
      expect(JSON.parse((await project.hook(shellCall("git push"))).stdout)).toEqual(REFUSAL);
      expect((await project.hook(shellCall("rm  -rf /"))).stdout).toContain("Not all of it.");
    }
    const changed = { ...DENIES, inline_rules: [{ ...DENIES.inline_rules[0], value: "git fetch" }] };
    await project.configure([changed]);
    expect((await project.hook(shellCall("git push"))).stdout).toBe("");
    expect(JSON.parse((await project.hook(shellCall("git fetch"))).stdout)).toEqual(REFUSAL);
  });

  it("has an agent judge", async () => {
    const project = newProject({ decidesHere: true });
    project.write("judge.yaml", `- { text: '{ "ok": false, "reason": "Not from here." }' }\n`);
    const matcher = { events: ["PreToolUse"] };
    await project.configure([
      { name: "judge", type: "agent", prompt: "No pushes.", model: "scripted:judge.yaml", matcher },
    ]);
    expect(JSON.parse((await project.hook(shellCall("git push"))).stdout)).toEqual(REFUSAL);
  });

  it("never believes a damaged cache, and decides as if it were whole", async () => {
    const project = newProject({ decidesHere: true });
    await project.configure([{ ...DENIES, on_failure: "open" }]);
    await project.readConfig(shellCall("ls"));
    const whole = readFileSync(cacheFile(project));
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), async (at, change) => {
        const damaged = Buffer.from(whole);
        damaged[at] = (damaged[at] ?? 0) ^ change;
        // In the hooks of the event too, which every decision reads.
        damaged[whole.length - 1 - (at % 40)] = 0;
        writeFileSync(cacheFile(project), damaged);
        expect(JSON.parse((await project.hook(shellCall("git push"))).stdout)).toEqual(REFUSAL);
        expect(readFileSync(cacheFile(project)).equals(damaged)).toBe(false);
      }),
      { numRuns: runs(3) },
    );
    // A rule is read only when it may hold.
    const rule = Buffer.from(whole);
    rule.fill("x", whole.lastIndexOf("Not from here."), whole.lastIndexOf("Not from here.") + 1);
    writeFileSync(cacheFile(project), rule);
    expect(JSON.parse((await project.hook(shellCall("git push"))).stdout)).toEqual(REFUSAL);
    expect(readFileSync(cacheFile(project)).equals(rule)).toBe(false);
    writeFileSync(cacheFile(project), whole.subarray(0, whole.length / 2));
    expect(JSON.parse((await project.hook(shellCall("git push"))).stdout)).toEqual(REFUSAL);
  });

  it("decides and ends where no cache can be made", async () => {
    const project = newProject({ decidesHere: true });
    await project.configure([DENIES]);
    project.environment.XDG_CACHE_HOME = "/proc/none";
    const { stdout } = await project.hook(shellCall("git push"));
    expect(JSON.parse(stdout)).toEqual(REFUSAL);
  });

  it("matches tools by a regular expression", async () => {
    const project = newProject({ decidesHere: true });
    await project.configure([{ ...DENIES, matcher: { events: ["PreToolUse"], tools: ["/^B[a-z]+$/"] } }]);
    expect((await project.hook(shellCall("rm  -rf /"))).stdout).toContain("Not all of it.");
  });

  it("writes down each decision, also those that needed no engine", async () => {
    const project = newProject({ decidesHere: true });
    await project.configure([DENIES]);
    await project.hook(shellCall("ls"));
    await project.hook(shellCall("git push"));
    expect(
      project.journal().map(({ event, decision, runs: ran }) => ({ event, decision, ran })),
    ).toMatchObject([
      {
        event: { hook_event_name: "PreToolUse", host: "claude", tool_input: { command: "ls" } },
        decision: { action: "continue" },
        ran: [{ name: "tenterhook:self-protection" }, { name: "no-push", handler: "inline" }],
      },
      {
        decision: { action: "deny", reason: "Not from here." },
        ran: [
          { handler: "inline" },
          { name: "no-push", outcome: { action: "deny", reason: "Not from here." } },
        ],
      },
    ]);
  });

  it("asks a hook once in a session, whatever the process", async () => {
    const project = newProject({ decidesHere: true });
    await project.configure([{ ...DENIES, once: true }]);
    expect((await project.hook(shellCall("git push"))).stdout).toContain("deny");
    expect((await project.hook({ ...shellCall("git push"), tool_use_id: "t2" })).stdout).toBe("");
    expect((await project.hook({ ...shellCall("git push"), session_id: "s2" })).stdout).toContain("deny");
  });

  it("has a hook on an event that only one agent has", async () => {
    const project = newProject({ decidesHere: true });
    const rules = 'source equals "project_settings" -> deny("Ask first.")';
    const matcher = { events: ["claude:ConfigChange"] };
    await project.configure([{ name: "settings", type: "inline", matcher, rules }]);
    const { stdout } = await project.hook({ hook_event_name: "ConfigChange", source: "project_settings" });
    expect(JSON.parse(stdout)).toEqual({ decision: "block", reason: "Ask first." });
    expect(await project.hook({ hook_event_name: "ConfigChange", source: "skills" })).toEqual({
      code: 0,
      stdout: "",
      stderr: "",
    });
  });
});
