import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { chosen } from "../support/long.ts";
import { needs } from "../support/needs.ts";
import { newProject, type Project, shellCall } from "./support/project.ts";

const MATCHER = { events: ["PreToolUse"] };

/** Writes the hooks of the user. */
function configureUser(project: Project, definitions: readonly object[]): string {
  const folder = join(project.folder, "config/tenterhook");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "hooks.yaml"), stringify({ hooks: { definitions } }));
  return folder;
}

/** Where a hook ran: what it wrote with `pwd`. */
function written({ folder }: Project): string {
  return readFileSync(join(folder, "ran"), "utf8").trim();
}

describe("a command of the user", () => {
  it.each(["native", "tenterhook"])("with payload: %s runs in the folder of the session", async (payload) => {
    const project = newProject({ decidesHere: true });
    project.write("packages/a/index.js", "");
    const command = `pwd > '${project.folder}/ran'`;
    configureUser(project, [{ name: "x", type: "command", command, payload, matcher: MATCHER }]);
    const cwd = join(project.cwd, "packages/a");
    expect((await project.hook({ ...shellCall("ls"), cwd })).stdout).toBe("");
    expect(written(project)).toBe(realpathSync(cwd));
  });

  it("that names a file next to its configuration starts there", async () => {
    const project = newProject({ decidesHere: true });
    const command = "sh ./guard.sh";
    const folder = configureUser(project, [{ name: "x", type: "command", command, matcher: MATCHER }]);
    writeFileSync(join(folder, "guard.sh"), `echo of the user > '${project.folder}/ran'`);
    project.write("guard.sh", `echo of the project > '${project.folder}/ran'`);
    await project.hook(shellCall("ls"));
    expect(written(project)).toBe("of the user");
  });

  it("names the files of the session's folder as the agent would, with the agent's payload", async () => {
    needs("python3");
    const project = newProject({ decidesHere: true });
    project.write("sub/check.py", "import sys; sys.stderr.write('No.'); sys.exit(2)");
    const command = "python3 check.py";
    configureUser(project, [{ name: "x", type: "command", command, payload: "native", matcher: MATCHER }]);
    const { stdout } = await project.hook({ ...shellCall("ls"), cwd: join(project.cwd, "sub") });
    expect(stdout).toContain('"permissionDecisionReason":"No."');
  });
});

/** Ways in which a command names a file. */
const NAMED: readonly (readonly [named: string, definition: object])[] = [
  ["a relative name", { command: "sh guard.sh" }],
  ["a program", { command: ["./guard.sh"] }],
  ["an argument", { command: "sh", args: ["guard.sh"] }],
  ["a name below $PWD", { command: 'sh "$PWD/guard.sh"' }],
  ["a name below the working folder's name", { command: "sh `pwd`/guard.sh" }],
  ["a name in another folder", { command: "cd tools && sh ./guard.sh" }],
  ["a name that a shell finds", { command: "sh ./gu*.sh" }],
  ["a name in a variable", { command: "F=guard.sh; sh $F" }],
  ["a name in a line of another shell", { command: ["sh", "-c", "sh guard.sh"] }],
  ["a name in a variable that is set", { command: 'sh "$GUARD"', set_env: { GUARD: "guard.sh" } }],
];

describe("a command of a project", () => {
  it.each([
    ["tenterhook", "."],
    ["native", "packages/a"],
  ])("with payload: %s runs in %s", async (payload, folder) => {
    const project = newProject({ decidesHere: true });
    project.write("hooks/where.sh", `pwd > '${project.folder}/ran'`);
    project.write("packages/a/index.js", "");
    const command = `sh "\${CLAUDE_PROJECT_DIR:-.}"/hooks/where.sh --now`;
    await project.configure([{ name: "x", type: "command", command, payload, matcher: MATCHER }]);
    await project.hook({ ...shellCall("ls"), cwd: join(project.cwd, "packages/a") });
    expect(written(project)).toBe(realpathSync(join(project.cwd, folder)));
  });

  it.each(chosen(NAMED.slice(0, 4), NAMED))(
    "that names a file by %s never runs another file of that name",
    async (_, definition) => {
      const project = newProject({ decidesHere: true });
      for (const folder of ["", "tools/"]) {
        project.write(`${folder}guard.sh`, `#!/bin/sh\necho trusted > '${project.folder}/ran'`);
        project.write(`sub/${folder}guard.sh`, `#!/bin/sh\necho another > '${project.folder}/ran'`);
      }
      const guard = { name: "x", type: "command", ...definition, payload: "native", matcher: MATCHER };
      await project.configure([guard]);
      await project.hook({ ...shellCall("ls"), cwd: join(project.cwd, "sub") });
      expect(written(project)).toBe("trusted");
    },
  );

  it.each(["sh guard.sh", "cd tools; sh ./guard.sh", "node tools/guard"])(
    "that names a missing file (%s) never runs one of that name in the session's folder",
    async (command) => {
      const project = newProject({ decidesHere: true });
      for (const name of ["guard.sh", "tools/guard.sh"])
        project.write(`sub/${name}`, `echo another > '${project.folder}/ran'`);
      project.write("sub/tools/guard.js", `require("fs").writeFileSync("${project.folder}/ran", "another")`);
      await project.configure([{ name: "x", type: "command", command, payload: "native", matcher: MATCHER }]);
      const { stdout } = await project.hook({ ...shellCall("ls"), cwd: join(project.cwd, "sub") });
      expect(stdout).toContain('"permissionDecision":"deny"');
      expect(existsSync(join(project.folder, "ran"))).toBe(false);
    },
  );
});
