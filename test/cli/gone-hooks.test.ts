import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { newProject, type Project, shellCall } from "./support/project.ts";

const GATE = {
  name: "no-push",
  type: "inline",
  matcher: { events: ["PreToolUse"] },
  rules: 'command contains "git push" -> deny("Not from here.")',
};

let calls = 0;

/** What the agent is told about a call: the reason when it is refused. */
async function refusal(project: Project, command: string, cwd = project.cwd): Promise<string | undefined> {
  const { stdout } = await project.hook({ ...shellCall(command), tool_use_id: `call-${calls++}`, cwd });
  const reply = stdout === "" ? undefined : JSON.parse(stdout).hookSpecificOutput;
  return reply?.permissionDecision === "deny" ? reply.permissionDecisionReason : undefined;
}

describe("trusted hooks that are gone", () => {
  it("refuse every gate after a branch was switched, until a person accepts it; back on the branch they hold", async () => {
    const project = newProject({ decidesHere: true });
    await project.configure([GATE]);
    expect(await refusal(project, "git push")).toContain("Not from here.");
    expect(await refusal(project, "ls")).toBeUndefined();

    // As `git switch` does to a branch without hooks, and back.
    const [guarded, plain] = [join(project.cwd, ".tenterhook"), join(project.folder, "kept")];
    renameSync(guarded, plain);
    const said = await refusal(project, "ls");
    expect(said).toContain("no-push of .tenterhook/hooks.yaml");
    expect(said).toContain("was trusted and is gone.");
    expect(said).toContain("tenterhook trust");
    expect(await refusal(project, "ls")).toBe(said);
    const { stdout } = await project.hook({ hook_event_name: "SessionStart", source: "startup" });
    expect(JSON.parse(stdout).systemMessage).toContain("was trusted and is gone.");

    const shown = await project.run(["trust", "--yes"]);
    expect(shown.stdout).toContain("- removed .tenterhook/hooks.yaml");
    expect(shown.stdout).toContain("Accepted: 1 file was taken out.");
    expect(await refusal(project, "ls")).toBeUndefined();

    renameSync(plain, guarded);
    expect(await refusal(project, "git push")).toContain("Not from here.");
    expect(await refusal(project, "ls")).toBeUndefined();
  });

  it("refuse also when their folder was deleted, and in folders below", async () => {
    const project = newProject({ decidesHere: true });
    await project.configure([GATE]);
    expect(await refusal(project, "ls")).toBeUndefined();
    rmSync(join(project.cwd, ".tenterhook"), { recursive: true });
    const below = join(project.cwd, "packages/a");
    mkdirSync(below, { recursive: true });
    for (const cwd of [project.cwd, below])
      expect(await refusal(project, "ls", cwd)).toContain("was trusted and is gone.");
    expect((await project.run(["doctor"])).stdout).toContain("so every gate refuses");
    expect((await project.run(["trust"])).stderr).toContain("1 trusted file of");
    await project.run(["trust", "--yes"]);
    for (const cwd of [project.cwd, below]) expect(await refusal(project, "ls", cwd)).toBeUndefined();
  });

  it("are not missed because they were trusted before kinds were recorded", async () => {
    const project = newProject({ decidesHere: true });
    await project.configure([GATE]);
    const folder = join(project.folder, "state/tenterhook/trust");
    for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
      if (!name.endsWith(".json")) continue;
      const record = join(folder, name);
      const text = readFileSync(record, "utf8");
      expect(text).toContain('"hook no-push"');
      writeFileSync(record, text.replace('"hook no-push"', '"no-push"'));
    }
    expect(await refusal(project, "ls")).toBeUndefined();
  });

  it("refuse although something of another kind has the same name", async () => {
    const project = newProject({ decidesHere: true });
    project.write(".tenterhook/hooks.local.yaml", 'permissions: { deny: ["Bash(rm:*)"] }\n');
    await project.configure([{ ...GATE, name: "permissions" }]);
    expect(await refusal(project, "ls")).toBeUndefined();
    rmSync(join(project.cwd, ".tenterhook/hooks.local.yaml"));
    expect(await refusal(project, "ls")).toContain("section permissions of ");
  });

  it("are what every command speaks of, and init does not accept that they are gone", async () => {
    const project = newProject({ decidesHere: true });
    await project.configure([GATE]);
    rmSync(join(project.cwd, ".tenterhook"), { recursive: true });
    const gone = `1 trusted item of ${project.cwd} is gone, so every gate refuses: bring it back, or tenterhook trust shows what is missing and accepts it.`;
    const said = async (...args: readonly string[]) =>
      (await project.run(args)).stdout.replaceAll(/\s+/g, " ");
    expect(await said("list")).toContain(` ${gone} `);
    expect(await said("doctor", "-v")).toContain(`✗ trust ${gone} `);
    expect(await said("doctor", "-v")).not.toContain("Trusted.");
    const start = await said();
    expect(start).toContain(" ✗ every call hook no-push was trusted and is no longer in ");
    expect(start).toContain(" tenterhook trust ");
    expect(start).not.toContain("Nothing guards this project yet.");
    expect(await said("init", "--yes")).toContain(gone);
    expect(await said("list")).toContain(gone);
    expect((await project.run(["trust", "--yes"])).stdout).toContain("Trusted: 1 file.");
    expect(await said("list")).not.toContain("gone");
  });

  it("refuse also when one of several was taken out of the file, until a person accepts it", async () => {
    const project = newProject({ decidesHere: true });
    await project.configure([GATE, { ...GATE, name: "other" }]);
    expect(await refusal(project, "ls")).toBeUndefined();
    project.write(".tenterhook/hooks.json", JSON.stringify({ hooks: { definitions: [GATE] } }));
    rmSync(join(project.cwd, ".tenterhook/hooks.yaml"), { force: true });
    expect(await refusal(project, "ls")).toContain("other of");
    await project.run(["trust", "--yes"]);
    expect(await refusal(project, "ls")).toBeUndefined();
  });
});
