import { describe, expect, it } from "vitest";
import { awayNow } from "../../src/monitor/report/away.ts";
import { projectDaemon } from "../monitor/support/test-daemon.ts";
import { newProject } from "./support/project.ts";

describe("tenterhook away", () => {
  it("lasts until tenterhook back, and status shows it", async () => {
    const project = newProject();
    await projectDaemon(project);
    expect((await project.run(["away"])).stdout).toMatch(
      /^You are away: questions wait .* tenterhook back ends it\.\n$/,
    );
    expect((await project.run(["status"])).stdout).toContain("You are away:");
    expect(JSON.parse((await project.run(["status", "--json"])).stdout)).toMatchObject({
      away: { since: expect.any(String) },
    });
    expect((await project.run(["back"])).stdout).toBe("You are back: agents show their own dialogs soon.\n");
    expect((await project.run(["back"])).stdout).toBe("You were not away.\n");
    expect((await project.run(["status"])).stdout).not.toContain("You are away");
  });

  it("lasts for a time", async () => {
    const { run, environment } = newProject();
    const { away } = JSON.parse((await run(["away", "2h", "--json"])).stdout);
    const until = Date.parse(away.until);
    expect(until - Date.parse(away.since)).toBe(7_200_000);
    expect([awayNow(environment, until - 1), awayNow(environment, until)]).toEqual([away, undefined]);
    expect((await run(["away", "3d"])).stdout).toMatch(
      /^You are away until [A-Z][a-z]{2} \d{4}-\d\d-\d\d \d\d:\d\d: questions wait /,
    );
    const { stderr, code } = await run(["away", "2"]);
    expect([stderr, code]).toEqual([
      '"2" is not a time.\n  Write a number and a unit, such as 30m, 2h or 1d.\n',
      2,
    ]);
  });
});
