import { newProject, type Project } from "./project.ts";

interface Found {
  readonly line?: number;
  readonly column?: number;
  readonly message: string;
}

/** What `validate` says of a project: errors, then warnings, each as `line:column message`. */
export async function findings(project: Project, ...files: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await project.run(["check", ...files, "--json"]);
  const { errors, warnings } = JSON.parse(stdout);
  const line = (kind: string) => (found: Found) =>
    `${kind} ${found.line ?? 0}:${found.column ?? 0} ${found.message}`;
  return [...errors.map(line("error")), ...warnings.map(line("warning"))];
}

/** A project with one file of hooks. The definitions begin in line 3. */
export function hooksProject(definition: string): Project {
  const project = newProject();
  project.write(".tenterhook/hooks.yaml", `hooks:\n  definitions:\n${definition.replace(/^\n/, "")}`);
  return project;
}
