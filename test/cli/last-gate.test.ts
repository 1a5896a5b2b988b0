import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { isGuarded } from "../../src/adapters/claude/mod/question.js";
import { TOPIC } from "../../src/adapters/claude/mod/wire.js";
import type { Host } from "../../src/hook/call.ts";
import { decide } from "../../src/hook/decide.ts";
import { answerBesides, lastLoaded } from "../../src/hook/last-gate.ts";
import { processHost } from "../../src/hook/process/run-hook.ts";
import { trustProject } from "../support/trust-project.ts";
import { callIn } from "./support/decided-here.ts";
import { hookServer } from "./support/hook-server.ts";
import { askedLast, moduleLoads } from "./support/last-gate.ts";
import { newProject, type Project, shellCall } from "./support/project.ts";

const PRE_TOOL_USE = { events: ["PreToolUse"] };

/** A project in whose Claude Code our module is loaded, with a hook that a server answers. */
async function asking(answer: object) {
  const project = newProject({ decidesHere: true });
  const server = await hookServer(() => answer);
  await project.configure([{ name: "asked", ...server.asks, matcher: PRE_TOOL_USE }]);
  await moduleLoads(project);
  return { project, asked: server.events, last: (payload: object) => askedLast(project, payload) };
}

async function ruled(rules: string) {
  const project = newProject({ decidesHere: true });
  await project.configure([{ name: "ruled", type: "inline", matcher: PRE_TOOL_USE, rules }]);
  await moduleLoads(project);
  return { project, last: (payload: object) => askedLast(project, payload) };
}

describe("the last gate in Claude Code", () => {
  it("is told what the settings hook has decided about the same input, which is judged and recorded once", async () => {
    const { project, asked, last } = await asking({ action: "deny", reason: "Not now." });
    await project.hook(shellCall("ls"));
    expect(await last(shellCall("ls"))).toEqual({ action: "deny", reason: "Not now." });
    expect(asked).toHaveLength(1);
    expect(project.journal()).toHaveLength(1);
  });

  it("passes what the settings hook has passed, also when rules alone have", async () => {
    const { project, last } = await ruled('command contains "rm" -> deny("Not that.")');
    await project.hook(shellCall("ls"));
    expect(await last(shellCall("ls"))).toEqual({ action: "pass" });
    expect(project.journal()).toHaveLength(1);
  });

  it("has an input judged that was changed on the way, and recorded once", async () => {
    const { project, last } = await ruled('command contains "rm" -> deny("Not that.")');
    await project.hook(shellCall("ls"));
    const denied = { action: "deny", reason: "Not that." };
    expect([await last(shellCall("rm x")), await last(shellCall("rm x"))]).toEqual([denied, denied]);
    expect(project.journal()).toHaveLength(2);
  });

  it("has the same input judged again in another folder, and by another configuration", async () => {
    const { project, asked, last } = await asking({ action: "continue" });
    await project.hook(shellCall("ls"));
    expect([await last(shellCall("ls")), asked.length]).toEqual([{ action: "pass" }, 1]);
    const cwd = join(project.cwd, "below");
    mkdirSync(cwd);
    expect([await last({ ...shellCall("ls"), cwd }), asked.length]).toEqual([{ action: "pass" }, 2]);
    const rules = 'command equals "ls" -> deny("Not here.")';
    await project.configure([{ name: "ruled", type: "inline", matcher: PRE_TOOL_USE, rules }]);
    expect(await last(shellCall("ls"))).toEqual({ action: "deny", reason: "Not here." });
  });

  it("has a changed input judged by gates only, and leaves hooks that run once alone", async () => {
    const project = newProject({ decidesHere: true });
    await moduleLoads(project);
    const observer = await hookServer(() => ({ action: "continue" }));
    const once = await hookServer(() => ({ action: "deny", reason: "Only once." }));
    await project.configure([
      { name: "watching", ...observer.asks, matcher: PRE_TOOL_USE, observe: true },
      { name: "vouched", ...observer.asks, matcher: PRE_TOOL_USE, recheck: false },
      { name: "first", ...once.asks, matcher: { ...PRE_TOOL_USE, command_patterns: ["rm *"] }, once: true },
    ]);
    await project.hook(shellCall("ls"));
    expect(observer.events).toHaveLength(2);
    expect(await askedLast(project, shellCall("rm x"))).toEqual({ action: "deny", reason: "Only once." });
    expect(observer.events).toHaveLength(2);
    // It has not had its turn by that.
    expect((await project.hook({ ...shellCall("rm x"), tool_use_id: "t2" })).stdout).toContain("Only once.");
  });

  it("judges a call about which no settings hook was asked, once", async () => {
    const { project, asked, last } = await asking({ action: "ask", reason: "Sure?" });
    expect(await last(shellCall("ls"))).toEqual({ action: "ask", reason: "Sure?" });
    expect(await last(shellCall("ls"))).toEqual({ action: "ask", reason: "Sure?" });
    expect((await project.hook(shellCall("ls"))).stdout).toContain('"ask"');
    expect(asked).toHaveLength(1);
    expect(project.journal()).toHaveLength(1);
  });

  it("has a call run as it was rewritten, and passes it then", async () => {
    const { project, last } = await ruled('command equals "ls" -> set(args.command, "ls -l")');
    await project.hook(shellCall("ls"));
    expect(await last(shellCall("ls"))).toEqual({ action: "rewrite", input: { command: "ls -l" } });
    expect(await last(shellCall("ls -l"))).toEqual({ action: "pass" });
    expect(project.journal()).toHaveLength(1);
  });

  it("leaves no record of a call that no hook looks at", async () => {
    const project = newProject({ decidesHere: true });
    expect(await askedLast(project, shellCall("ls"))).toEqual({ action: "pass" });
    expect(project.journal()).toEqual([]);
  });

  it("refuses what can't be decided", async () => {
    const { last } = await ruled('command contains "rm" -> deny("Not that.")');
    expect(await last({ hook_event_name: 1 })).toMatchObject({ action: "deny" });
  });

  it.each<readonly [what: string, hanging: (hang: () => Promise<never>) => Partial<Host>]>([
    ["its configuration is never found", (hang) => ({ findConfig: hang })],
    ["its hooks never answer", (hang) => ({ makeFor: () => hang })],
  ])("is refused in time, though %s", async (_, hanging) => {
    const { project } = await asking({ action: "continue" });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const text = JSON.stringify({
      session_id: "s1",
      cwd: project.cwd,
      tool_use_id: "t1",
      ...shellCall("ls"),
    });
    const call = { ...callIn(project, text), isLastGate: true as const };
    let answer: ReturnType<typeof decide> | undefined;
    await new Promise<void>((hangs) => {
      const hang = (): Promise<never> => {
        hangs();
        return new Promise(() => {});
      };
      answer = decide(call, { ...processHost, ...hanging(hang) });
    });
    await vi.advanceTimersByTimeAsync(25_000);
    vi.useRealTimers();
    expect(await answer).toMatchObject({
      reply: { stdout: expect.stringContaining("did not decide within 20 s") },
      isLate: true,
    });
  });

  it("asks no human itself", async () => {
    const project = newProject({ decidesHere: true });
    const monitor = { on_prompt: { action: "answer", wait: "10m" } };
    project.write("../config/tenterhook/hooks.yaml", JSON.stringify({ monitor }));
    const question = {
      hook_event_name: "PreToolUse",
      tool_name: "ExitPlanMode",
      tool_input: { plan: "Go." },
    };
    expect(await askedLast(project, question)).toEqual({ action: "pass" });
  });

  it("keeps what was decided in files of this user alone", async () => {
    const { project, last } = await ruled('command contains "rm" -> deny("Not that.")');
    await last(shellCall("rm x"));
    const folder = join(project.folder, "state/tenterhook/last-gate");
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    const [name = ""] = readdirSync(join(folder, "verdicts")).filter((one) => !one.startsWith("."));
    for (const file of ["guarded", join("verdicts", name)])
      expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
  });

  it("is remembered with Claude Code's version", async () => {
    const project = newProject();
    expect(lastLoaded(project.environment)).toBeUndefined();
    await moduleLoads(project, "2.1.300");
    await moduleLoads(project, "2.1.327");
    expect(lastLoaded(project.environment)).toMatchObject({ version: "2.1.327" });
  });

  it("knows where calls are guarded once one was judged there, and nowhere else", async () => {
    const { project, last } = await ruled('command contains "rm" -> deny("Not that.")');
    const elsewhere = newProject({ decidesHere: true });
    await last(shellCall("ls"));
    await askedLast({ ...elsewhere, environment: project.environment }, shellCall("ls"));
    const list = readFileSync(join(project.folder, "state/tenterhook/last-gate/guarded"), "utf8");
    expect(
      [project.cwd, join(project.cwd, "src"), elsewhere.cwd, `${project.cwd}-2`].map((one) =>
        isGuarded(list, one),
      ),
    ).toEqual([true, true, false, false]);
  });
});

it("knows a guarded project and folder by their real paths, too", async () => {
  const { project, last } = await ruled('command contains "rm" -> deny("Not that.")');
  const [link, elsewhere] = [join(project.folder, "link"), join(project.folder, "elsewhere")];
  symlinkSync(project.cwd, link);
  mkdirSync(elsewhere);
  project.environment.CLAUDE_PROJECT_DIR = link;
  await last({ ...shellCall("ls"), cwd: elsewhere });
  const list = readFileSync(join(project.folder, "state/tenterhook/last-gate/guarded"), "utf8");
  expect([project.cwd, link, elsewhere, project.folder].map((one) => isGuarded(list, one))).toEqual([
    true,
    true,
    true,
    false,
  ]);
});

describe("the last gate, asked whether a plug-in may act by itself,", () => {
  const ask = async (project: Project, name: string, root: string): Promise<unknown> => {
    const asked = { [TOPIC]: "plugin", name, root, cwd: project.cwd };
    const reply = await answerBesides({ text: JSON.stringify(asked), environment: project.environment });
    return JSON.parse(reply?.stdout ?? "");
  };
  const allow = (id: unknown) => JSON.stringify({ mods: { allow: [id] } });

  it("allows it by its name and files, in the user's own configuration alone", async () => {
    const project = newProject({ decidesHere: true });
    const root = join(project.folder, "theirs");
    project.write("../theirs/hooks/register.js", "export const register = () => {};");
    const { id, is_allowed } = Object(await ask(project, "theirs", root));
    expect([id, is_allowed]).toEqual([expect.stringMatching(/^theirs@[0-9a-f]{32}$/), false]);
    project.write(".tenterhook/hooks.yaml", allow(id));
    await trustProject(project.cwd, project.environment);
    expect(await ask(project, "theirs", root)).toMatchObject({ is_allowed: false });
    project.write("../config/tenterhook/hooks.yaml", allow(id));
    expect(await ask(project, "theirs", root)).toEqual({ id, is_allowed: true });
    expect(await ask(project, "others", root)).toMatchObject({ is_allowed: false });
    project.write("../theirs/more.txt", "");
    expect(await ask(project, "theirs", root)).toMatchObject({ is_allowed: false });
  });

  it("allows nothing that it can't read", async () => {
    expect(await ask(newProject(), "theirs", "/nowhere/at/all")).toEqual({ is_allowed: false });
  });
});
