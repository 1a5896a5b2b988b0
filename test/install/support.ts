import { mkdirSync, symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";
import { guardOf, guardSentence } from "../../src/cli/configured-hooks/guard.ts";
import { newProject, type Project } from "../cli/support/project.ts";

/** A project on a machine with these agents, each a package with a version, and our program on the PATH. */
export function machineWith(agents: Readonly<Record<string, string>>): Project {
  const project = newProject({ decidesHere: true });
  const programs = join(project.folder, "bin");
  mkdirSync(programs);
  for (const [agent, version] of Object.entries(agents)) {
    const manifest = { name: agent, version, bin: { [agent]: "program" } };
    project.write(`../lib/node_modules/${agent}/package.json`, JSON.stringify(manifest));
    symlinkSync(project.write(`../lib/node_modules/${agent}/program`, "#!/bin/sh\n"), join(programs, agent));
  }
  project.write("../bin/tenterhook", "#!/bin/sh\n");
  project.environment.PATH = [programs, "/usr/bin", "/bin"].join(delimiter);
  return project;
}

/** What is said about the project in one sentence. */
export async function sentenceOf({ cwd, environment }: Project, folder = cwd): Promise<string> {
  const { judgement } = await guardOf({ cwd: folder, environment, signal: new AbortController().signal });
  return guardSentence(judgement, cwd).replaceAll(`${cwd}/`, "");
}
