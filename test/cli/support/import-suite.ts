import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { trustProject } from "../../support/trust-project.ts";
import { newProject, type Project } from "./project.ts";

type Fields = Readonly<Record<string, unknown>>;

/** An agent whose hooks are imported. */
export interface ImportCase {
  readonly agent: string;
  /** Its file with hooks, below the project. */
  readonly file: string;
  /** What the file has next to the hooks. */
  readonly heading?: object;
  /** Refuses what has `--force` in its payload, in the agent's own words, with "Not by force." */
  readonly guard: string;
  /** Hooks of all kinds, the sentences about them, and what becomes of them. */
  readonly converts: {
    readonly hooks: object;
    readonly says: readonly string[];
    readonly definitions: readonly Fields[];
  };
  /** Hooks that decide the same before and after, one of them the guard. */
  readonly guards: {
    readonly hooks: object;
    /** How many of them are compared, and the verdicts that appear. */
    readonly compared: number;
    readonly verdicts: readonly string[];
    /** A payload that the guard refuses, and the reply to it. */
    readonly payload: (cwd: string) => Fields;
    readonly reply: object;
    /** Variables that the agent sets for its hooks. */
    readonly variables?: Readonly<Record<string, string>>;
  };
}

/** The hook of a case, and what most definitions have. */
export const GUARD = { type: "command", command: "./guard.sh" };
export const DEFINED = {
  ...GUARD,
  payload: "native",
  timeout: 60,
  on_failure: { default: "open", untrusted: "closed" },
  parallel: true,
};

/** A project with these hooks of the agent. */
function withHooks({ file, heading, guard }: ImportCase, hooks: object): Project {
  const project = newProject({ decidesHere: true });
  project.write("guard.sh", guard);
  project.write(file, JSON.stringify({ ...heading, hooks }, undefined, 2));
  return project;
}

/** What the import of every agent's hooks passes. */
export function importSuite(given: ImportCase): void {
  const { agent, converts } = given;

  describe(`import ${agent}`, () => {
    it("converts hooks, refuses those it would open, and names what differs", async () => {
      const project = withHooks(given, converts.hooks);
      const { code, stdout } = await project.run(["import", agent, "--yes"]);
      const output = stdout.replaceAll(/\s+/g, " ");
      expect(code).toBe(0);
      for (const difference of converts.says) expect(output).toContain(difference);
      const written = readFileSync(join(project.cwd, ".tenterhook/hooks.yaml"), "utf8");
      expect(parse(written).hooks.definitions).toEqual(
        converts.definitions.map((one) =>
          ["command", "http", "mcp"].includes(String(one.type)) ? { ...one, written_for: agent } : one,
        ),
      );
    });
  });
}

/** The same of hooks that are run, before and after. */
export function guardSuite(given: ImportCase): void {
  const { agent, file, guards } = given;

  describe(`import ${agent}`, () => {
    it("--check finds no difference, and what guarded before guards afterwards", async () => {
      const project = withHooks(given, guards.hooks);
      const checked = await project.run(["import", agent, "--check", "--yes", "--json"]);
      expect(JSON.parse(checked.stdout)).toMatchObject({
        different: 0,
        compared: { length: guards.compared },
      });
      for (const verdict of guards.verdicts) expect(checked.stdout).toContain(`"verdict": "${verdict}"`);
      if (agent === "codex") {
        // Until it trusts ours, the originals stay.
        await project.run(["import", agent, "--yes"]);
        await project.run(["install", agent, "--trust"]);
      }
      await project.run(["import", agent, "--yes", "--remove"]);
      expect(readFileSync(join(project.cwd, file), "utf8")).not.toContain("guard.sh");
      await trustProject(project.cwd, project.environment);
      Object.assign(project.environment, guards.variables);
      const { stdout } = await project.hook(guards.payload(project.cwd));
      expect(JSON.parse(stdout)).toMatchObject(guards.reply);
    });
  });
}
