import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { runProgram } from "../../src/node/process/run-program.ts";
import { shellLine } from "../../src/node/process/start-program.ts";
import { noSandbox } from "../support/bubblewrap.ts";
import { needs } from "../support/needs.ts";
import { leaveOut } from "../support/not-here.ts";

const folder = mkdtempSync(join(tmpdir(), "tenterhook-kept-"));
const workspace = join(folder, "workspace");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The files of a repository that has been used, and of what decides over commands in it. */
const FILES = [
  ".tenterhook/hooks.yaml",
  ".claude/settings.json",
  ".git/hooks/pre-commit",
  ".git/config",
  "home/.config/git/config",
  "home/.bashrc",
];

beforeEach(() => {
  rmSync(workspace, { recursive: true, force: true });
  mkdirSync(workspace);
  needs("git");
  execFileSync("git", ["init", "-q", workspace]);
  for (const file of FILES) {
    mkdirSync(dirname(join(workspace, file)), { recursive: true });
    writeFileSync(join(workspace, file), "");
  }
});

/** Runs a line in the sandbox; it may write the workspace, the home is inside. */
async function run(line: string, input?: string, home = join(workspace, "home")): Promise<string> {
  const { stdout, stderr } = await runProgram({
    ...shellLine(line),
    cwd: workspace,
    environment: { PATH: process.env.PATH, HOME: home },
    signal: new AbortController().signal,
    maxOutputBytes: 100_000,
    sandbox: { mode: "workspace-write", workspace: [workspace] },
    ...(input === undefined ? {} : { input }),
  });
  return `${stdout}${stderr}`;
}

const written = (): readonly string[] =>
  FILES.filter((file) => readFileSync(join(workspace, file), "utf8") !== "");

describe("a workspace that can be written keeps", () => {
  leaveOut(noSandbox);

  const ways: readonly (readonly [string, (file: string) => string])[] = [
    ["written", (file) => `echo x > ${file}`],
    ["removed", (file) => `rm -rf ${file}; mkdir -p ${dirname(file)}; echo x > ${file}`],
    ["replaced", (file) => `echo x > new; mv -f new ${file}`],
    ["linked", (file) => `ln ${file} other && echo x > other`],
    [
      "copied around its folders",
      (file) => {
        const above = file.split("/").slice(0, -1);
        return above
          .map((_, count) => above.slice(0, count + 1).join("/"))
          .map((name) => `mv ${name} moved && cp -r moved ${name} && echo x > ${file}`)
          .join("; ");
      },
    ],
    ["unmounted", (file) => `umount ${file} ${dirname(file)}; echo x > ${file}`],
    ["mounted anew", (file) => `mount -o remount,rw,bind ${dirname(file)}; echo x > ${file}`],
  ];
  it.each(ways)("what decides over commands from being %s", async (_name, way) => {
    for (const file of FILES) expect(await run(`echo ran; ${way(file)}`)).toMatch(/^ran\n/);
    expect(written()).toEqual([]);
  });

  it("nothing from git: it commits and makes branches", async () => {
    rmSync(join(workspace, ".git"), { recursive: true });
    needs("git");
    execFileSync("git", ["init", "-q", workspace]);
    const git = "git -c user.name=a -c user.email=a@b.example";
    const output = await run(
      `echo x > file; ${git} add file; ${git} commit -qm one; ${git} checkout -qb more`,
    );
    expect(output).toBe("");
    needs("git");
    const log = execFileSync("git", ["-C", workspace, "log", "--format=%s %D"]).toString();
    expect(log).toMatch(/^one HEAD -> more, /);
  });

  it("the folder of git's hooks also when there was none", async () => {
    rmSync(join(workspace, ".git", "hooks"), { recursive: true });
    await run("echo ran > file; mkdir -p .git/hooks; echo x > .git/hooks/pre-commit");
    expect(["file", ".git/hooks/pre-commit"].map((name) => existsSync(join(workspace, name)))).toEqual([
      true,
      false,
    ]);
  });

  it("the file by which a worktree names its repository", async () => {
    rmSync(join(workspace, ".git"), { recursive: true });
    writeFileSync(join(workspace, ".git"), "gitdir: /somewhere\n");
    await run("echo ran > file; echo 'gitdir: ./mine' > .git; rm -f .git; mv .git away");
    expect([".git", "file"].map((name) => readFileSync(join(workspace, name), "utf8"))).toEqual([
      "gitdir: /somewhere\n",
      "ran\n",
    ]);
  });

  it("nothing that is not there, and leaves nothing behind", async () => {
    for (const name of readdirSync(workspace)) rmSync(join(workspace, name), { recursive: true });
    mkdirSync(join(workspace, "home"));
    await run("echo x > file");
    expect(readdirSync(workspace)).toEqual(["file", "home"]);
  });

  it("what is in the home also when that is named by a link", async () => {
    const link = join(folder, "link");
    symlinkSync(join(workspace, "home"), link);
    await run("echo x > home/.bashrc; echo x > $HOME/.config/git/config", undefined, link);
    expect(written()).toEqual([]);
  });

  it("its input openable by name", async () => {
    expect(await run("cat /dev/stdin", "given")).toBe("given");
  });
});
