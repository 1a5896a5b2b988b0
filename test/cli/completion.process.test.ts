import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { mustBeBuilt } from "../repository/support/files.ts";
import { needs } from "../support/needs.ts";
import { endAfterTest } from "../support/processes.ts";
import { newProject, type Project } from "./support/project.ts";
import { CLI } from "./support/run-cli.ts";

beforeAll(mustBeBuilt);

/** A project whose user has the program on the PATH. */
async function completing(): Promise<Project> {
  const project = newProject();
  const programs = join(project.folder, "bin");
  mkdirSync(programs);
  symlinkSync(CLI, join(programs, "tenterhook"));
  project.environment.PATH = [programs, process.env.PATH].join(delimiter);
  const hook = (name: string) => ({ name, type: "command", command: "true", matcher: { events: ["Stop"] } });
  await project.configure([hook("format-check"), hook("format-fix"), hook("tests")]);
  return project;
}

/** What a shell offers for a line that ends where the cursor is. */
function offered(
  { cwd, environment }: Project,
  shell: string,
  completion: string,
  line: string,
): readonly string[] {
  const script = `${completion}
COMP_LINE=$1 COMP_POINT=\${#1}
_tenterhook
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const output = execFileSync(shell, ["-c", script, shell, line], {
    cwd,
    env: environment,
    encoding: "utf8",
  });
  return output.split("\n").filter((word) => word !== "");
}

describe("completion in bash", () => {
  needs("bash", "python3");
  it("offers words, of which the shell completes what follows the last colon", async () => {
    const project = await completing();
    const { stdout: completion } = await project.run(["completion", "bash"]);
    const offers = (line: string) => offered(project, "bash", completion, line);
    expect(offers("tenterhook list form")).toEqual(["format-check", "format-fix"]);
    expect(offers("tenterhook emit agent:s")).toEqual(["signal"]);
    expect(offers("tenterhook nonsense ")).toEqual([]);
  });

  it("works where people type: Tab completes the name of a hook", async () => {
    const { cwd, environment } = await completing();
    const steps = JSON.stringify([
      ["bash-", 'eval "$(tenterhook completion bash)"; echo re""ady\r'],
      ["ready", "tenterhook list tes\t"],
      ["tests", "\r"],
      ["last 7 days", "exit\r"],
    ]);
    const terminal = fileURLToPath(new URL("support/in-terminal.py", import.meta.url));
    const child = spawn("python3", [terminal, steps, "bash", "--norc", "--noprofile", "-i"], {
      cwd,
      env: { ...environment, TERM: "xterm", NO_COLOR: "1" },
      stdio: ["ignore", "pipe", "inherit"],
    });
    endAfterTest(child);
    const [output] = await Promise.all([text(child.stdout), once(child, "close")]);
    expect(output).toContain("tenterhook list tests");
    expect(output).toContain("never ran");
  });
});

/** A line that prints what the shell offers after "tenterhook list form". */
const OFFERS = {
  fish: 'tenterhook completion fish | source; complete -C "tenterhook list form"',
  // A stand-in for the completion system, which works in a terminal only: the function that it would call is the script's own.
  zsh: `compdef() { :; }; compadd() { print -l -- $found; }; _files() { print files; }
eval "$(tenterhook completion zsh)"; words=(tenterhook list form); CURRENT=3; _tenterhook`,
};

describe.each(["zsh", "fish"] as const)("completion in %s", (shell) => {
  needs(shell);
  it("offers hooks", async () => {
    const { cwd, environment } = await completing();
    const options = { cwd, env: environment, encoding: "utf8" } as const;
    const output = execFileSync(shell, ["-c", OFFERS[shell]], options);
    expect(output.trim().split("\n")).toEqual(["format-check", "format-fix"]);
  });
});
