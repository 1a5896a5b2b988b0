import { expect } from "vitest";
import { stringify } from "yaml";
import { projectDaemon } from "../../monitor/support/test-daemon.ts";
import { newProject, type Project } from "./project.ts";

/** A project whose user has `on_stop` like this, with a daemon. */
export async function stopping(on_stop: unknown): Promise<Project> {
  const project = newProject({ decidesHere: true });
  project.write("../config/tenterhook/hooks.yaml", stringify({ monitor: { on_stop } }));
  await projectDaemon(project);
  return project;
}

/** What the agent reads when it wants to end its turn. */
export async function stop(
  project: Project,
  stop_hook_active = false,
): Promise<Readonly<Record<string, unknown>>> {
  const { stdout, stderr, code } = await project.hook({ hook_event_name: "Stop", stop_hook_active });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout === "" ? {} : JSON.parse(stdout);
}

export async function json(project: Project, ...args: readonly string[]) {
  const { stdout, stderr } = await project.run([...args, "--json"]);
  expect(stderr).toBe("");
  return JSON.parse(stdout);
}

export const openDecisions = async (project: Project) => (await json(project, "decisions")).decisions;
export const agents = async (project: Project) => (await json(project, "status")).agents;
