import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { trustProject } from "../support/trust-project.ts";
import { newProject } from "./support/project.ts";
import { livedIn, SECRET, things } from "./support/reach.ts";

/** Docker and sudo are those of the machine that runs the test. */
const ofMachine = ({ kind }: { kind: string }) => /Docker|sudo/.test(kind);

describe("reach", () => {
  it("lists by name what an agent could read and destroy, and shows no secret", async () => {
    const project = livedIn();
    project.environment.GITHUB_TOKEN = SECRET;
    const { stdout } = await project.run(["reach", "--json"]);
    expect(stdout).not.toContain(SECRET);
    const shown = (path: string) => path.replace(join(project.folder, "home"), "~").replace(project.cwd, ".");
    const found = JSON.parse(stdout).things.filter((thing: { kind: string }) => !ofMachine(thing));
    expect(
      found.map((one: Record<string, string>) => `${one.access} ${one.kind}: ${shown(one.item ?? "")}`),
    ).toEqual([
      "read SSH keys: ~/.ssh/id_ed25519",
      "read SSH keys: ~/.ssh/work.pem",
      "read cloud credentials: ~/.aws/credentials",
      "read cloud credentials: ~/.kube/config",
      "read tokens: ~/.npmrc",
      "read key and password stores: ~/.gnupg",
      "read environment files: ./.env",
      "read environment files: ./api/.env.local",
      "read secret variables: $GITHUB_TOKEN",
      "destroy work in git: 1 changed file",
      "destroy work in git: 5 untracked paths",
      "destroy work in git: 1 stash",
      "destroy work in git: 1 unpushed commit",
      "destroy database files: ./data/app.sqlite",
      "destroy your home folder: ~",
      "destroy this project: .",
      "destroy production clusters: prod-eu",
      "destroy production accounts: acme-prod",
    ]);
    expect(found.map(({ answer }: { answer: string }) => answer)).toEqual(found.map(() => "open"));
  });

  it("says what the rules in force guard, by which rule, and what would close the rest", async () => {
    const project = livedIn();
    expect((await things(project)).next).toBe("tenterhook init --pack safe-shell protect-secrets");
    project.write(".tenterhook/hooks.yaml", "hooks: { use: [safe-shell] }\n");
    expect((await things(project)).next).toMatch(/^tenterhook trust: /);
    await trustProject(project.cwd, project.environment);
    const guarded = await things(project);
    const answers = new Map(
      guarded.things.map((one: Record<string, string>) => [one.item, `${one.answer} ${one.rule}`]),
    );
    expect(answers.get(join(project.folder, "home/.ssh/id_ed25519"))).toBe("open undefined");
    expect(answers.get("1 stash")).toBe("ask git-lose-recovery");
    expect(answers.get("prod-eu")).toBe("ask cluster-delete");
    expect(guarded.next).toMatch(/^tenterhook add .*protect-secrets/);
    expect(guarded.counts.guarded).toBeGreaterThan(0);
  });

  it("speaks of trusted hooks that are gone before anything else", async () => {
    const project = newProject();
    const rules = 'command contains "git push" -> deny("Not from here.")';
    await project.configure([{ name: "a", type: "inline", matcher: { events: ["PreToolUse"] }, rules }]);
    rmSync(join(project.cwd, ".tenterhook"), { recursive: true });
    expect((await things(project)).next).toBe(
      `1 trusted item of ${project.cwd} is gone, so every gate refuses: bring it back, or tenterhook trust shows what is missing and accepts it.`,
    );
  });

  it("counts permissions, and runs no hook that is a program", async () => {
    const project = livedIn();
    const program = {
      name: "program",
      type: "command",
      command: "touch ran; exit 2",
      matcher: { events: ["PreToolUse"] },
    };
    const permissions = { deny: ["Read(~/.npmrc)", "Bash(cat:*)"] };
    project.write(
      ".tenterhook/hooks.json",
      JSON.stringify({ hooks: { definitions: [program] }, permissions }),
    );
    await trustProject(project.cwd, project.environment);
    const found = (await things(project)).things.find(({ kind }: { kind: string }) => kind === "tokens");
    expect([found.answer, found.hook]).toEqual(["deny", "tenterhook:permissions"]);
    expect(() => execFileSync("test", ["-e", "ran"], { cwd: project.cwd })).toThrow();
  });

  it("fits a screen: counts first, aligned lines, the next step last", async () => {
    const project = livedIn();
    project.write(".tenterhook/hooks.yaml", "hooks: { use: [safe-shell, protect-secrets, git-safety] }\n");
    await trustProject(project.cwd, project.environment);
    const { stdout } = await project.run(["reach"]);
    const lines = stdout.split("\n").filter((line) => !/Docker|sudo/.test(line));
    expect(lines[0]).toMatch(
      /^ {2}An agent here could read 8 things and destroy \d+: \d+ guarded, \d+ open\.$/,
    );
    expect(stdout).toMatch(/^ {2}✓ asks {4}environment files +\.env, api\/\.env\.local +read-secrets$/m);
    expect(lines.length).toBeLessThan(25);
    expect(lines.at(-2)).not.toBe("");
  });
});
