import { expect } from "vitest";
import { stringify } from "yaml";
import { newProject, type Project, stopDaemonAfterTest } from "./project.ts";

/** A project whose user has the monitor on; its daemon ends with the test. */
export function watchedProject(monitor: object): Project {
  const project = newProject({ decidesHere: true });
  project.write("../config/tenterhook/hooks.yaml", stringify({ monitor }));
  stopDaemonAfterTest(project);
  return project;
}

export async function json(project: Project, ...args: readonly string[]) {
  const { stdout, stderr, code } = await project.run([...args, "--json"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout);
}

export const states = async (project: Project): Promise<Readonly<Record<string, string>>> => {
  const { agents }: { agents: readonly { agent_id: string; state: string }[] } = await json(
    project,
    "status",
  );
  return Object.fromEntries(agents.map(({ agent_id, state }) => [agent_id, state]));
};

export const QUESTION = {
  hook_event_name: "PermissionRequest",
  tool_name: "AskUserQuestion",
  tool_input: {
    questions: [{ question: "Which colour?", options: [{ label: "Blue" }, { label: "Red" }] }],
  },
};
