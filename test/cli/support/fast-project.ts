import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { newProject, type Project } from "./project.ts";
import { type ServedOptions, servedProject } from "./served-project.ts";

export const LIMIT = { timeout: 180_000 };

export const NO_PUSH = {
  name: "no-push",
  type: "inline",
  matcher: { events: ["PreToolUse"] },
  rules: 'command contains "git push" -> deny("Not from here.")',
};
export const command = (name: string, events: readonly string[], line: string) => ({
  name,
  type: "command",
  matcher: { events },
  command: line,
});

/** Gives a project a service manager that does nothing, and a Claude Code of a version. */
export function withService(project: Project, version = "2.1.325 (Claude Code)"): Project {
  const systemctl = project.write("../bin/systemctl", "#!/bin/sh\nexit 0\n");
  project.write("../bin/claude", `#!/bin/sh\necho "${version}"\n`);
  project.environment.PATH = `${join(systemctl, "..")}:${process.env.PATH}`;
  return project;
}

/** A project in whose user settings Claude Code asks a daemon that runs as a service. */
export async function fastProject(
  definitions: readonly object[],
  { atEnd = onTestFinished, ...served }: ServedOptions = {},
) {
  const project = withService(newProject({ atEnd }));
  await project.configure(definitions);
  await project.run(["monitor", "install-service"]);
  await servedProject(definitions, { ...served, project, atEnd });
  const installed = await project.run(["install", "claude", "--fast"]);
  expect(installed).toMatchObject({ code: 0, stderr: "" });
  const file = join(project.environment.HOME ?? "", ".claude/settings.json");
  return { project, file, installed, entries: () => entriesIn(file) };
}

/** The handlers of a settings file, by event. */
export function entriesIn(file: string): Readonly<Record<string, Entry>> {
  const { hooks } = JSON.parse(readFileSync(file, "utf8"));
  return Object.fromEntries(
    Object.entries<readonly { hooks: readonly [Entry] }[]>(hooks).map(([event, [group]]) => [
      event,
      group?.hooks[0] ?? { type: "none" },
    ]),
  );
}

export interface Entry {
  readonly type: string;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly onFailure?: string;
}
