import { expect, it } from "vitest";
import { twoAgents } from "./support/forged-events.ts";
import { states } from "./support/watched-project.ts";

it("a person may say something about any agent", async () => {
  const { project } = await twoAgents();
  expect((await project.start(["emit", "agent:error", "--agent", "worker", "--type", "x"])).code).toBe(0);
  expect(await states(project)).toMatchObject({ worker: "failed" });
});
