import { expect, it } from "vitest";
import { TENTERHOOK, twoAgents } from "./support/forged-events.ts";
import { states } from "./support/watched-project.ts";

it("an agent changes nothing about another one by its name", async () => {
  const { project, worker, other } = await twoAgents();
  await other.hook("s2", "SessionEnd", "env TENTERHOOK_AGENT_ID=worker");
  expect(await states(project)).toEqual({ worker: "working", s2: "exited" });
  await other.hook("s1", "SessionEnd", "env TENTERHOOK_AGENT_ID=worker");
  await other.hook("s1", "SessionStart", "env TENTERHOOK_AGENT_ID=worker");
  await other.run(`${TENTERHOOK} emit agent:error --agent worker --type rate_limited`);
  await other.run(`${TENTERHOOK} emit agent:prompt --agent worker --session s1 --type question`);
  expect(await states(project)).toEqual({ worker: "working", s2: "exited" });
  await worker.run(`${TENTERHOOK} emit agent:prompt --type question`);
  expect(await states(project)).toMatchObject({ worker: "prompting" });
  await worker.hook("s1", "SessionEnd");
  expect(await states(project)).toMatchObject({ worker: "exited" });
});
