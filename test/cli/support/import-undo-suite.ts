import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { chosen } from "../../support/long.ts";
import { newProject, type Project } from "./project.ts";

const read = (file: string) => (existsSync(file) ? readFileSync(file, "utf8") : undefined);
const fileOf = (project: Project, agent: string, scope: string) =>
  join(
    scope === "user" ? String(project.environment.HOME) : project.cwd,
    agent === "cursor"
      ? ".cursor/hooks.json"
      : agent === "codex"
        ? ".codex/hooks.json"
        : ".claude/settings.json",
  );

/** What import --undo holds for an agent's settings, in this scope, with this text. */
export function undoSuite(
  settings: readonly (readonly [agent: string, scope: string, before: string])[],
): void {
  // In `npm test` each is tried in one way.
  const tried = settings.map((one, at) => [...one, chosen([at % 2 === 0], [false, true])] as const);
  it.each(tried)(
    "puts the hooks of %s (%s) back to the byte, before and after uninstall",
    async (agent, scope, before, ways) => {
      for (const uninstalls of ways) {
        const project = newProject();
        const file = fileOf(project, agent, scope);
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, before);
        const options = [`--${scope}`];
        if (agent === "codex") {
          // Until it trusts ours, the originals stay.
          await project.run(["import", agent, ...options, "--yes"]);
          await project.run(["install", agent, ...options, "--trust"]);
        }
        await project.run(["import", agent, ...options, "--remove", "--yes"]);
        await project.run(["install", agent, ...options]);
        await project.run(["trust", "--yes"]);
        if (uninstalls) {
          const { stdout } = await project.run(["uninstall", agent, ...options]);
          expect(stdout.replaceAll(/\s+/g, " ")).toMatch(/nowhere: tenterhook import \w+ --undo puts/);
        }
        expect(await project.run(["import", agent, "--undo", "--yes"])).toMatchObject({
          code: 0,
          stderr: "",
        });
        if (!uninstalls) await project.run(["uninstall", agent, ...options]);
        expect(read(file)).toBe(before);
        expect((await project.run(["doctor"])).stdout).not.toContain("gone, so every gate refuses");
        const hooks = JSON.parse((await project.run(["list", "--json"])).stdout).hooks;
        expect(hooks.filter(({ enabled }: { readonly enabled: boolean }) => enabled)).toEqual([]);
        expect(await project.run(["import", agent, "--undo", "--yes"])).toMatchObject({ code: 1 });
      }
    },
  );
}
