import { describe, expect, it } from "vitest";
import { machine, permission, teamMonitor } from "../monitor/team/support/team.ts";
import { leaveOut, notLinux } from "../support/not-here.ts";
import { eventually } from "../support/processes.ts";
import { connected, followRequests, logIn, pageOpener } from "./support/browser.ts";

const openPage = pageOpener();

/** A team's monitor with one machine, whose agent asks for a permission. */
async function asked() {
  const team = await teamMonitor();
  const laptop = await machine();
  await laptop.join(team.url, await team.token({ role: "reporter" }), "laptop");
  const { id } = laptop.report("agent:prompt", permission());
  await eventually(async () => expect(await team.client.decisions("open")).toHaveLength(1));
  return { team, laptop, id };
}

describe("the page of a team", () => {
  leaveOut(notLinux);

  it("shows a viewer what is asked without a way to answer, and ends with the token", async () => {
    const { team, id } = await asked();
    const { page } = await openPage();
    const { token, shown } = await team.client.createToken({ role: "viewer" });
    await logIn(page, team.url, token);
    await connected(page);
    const article = page.getByRole("article", { name: "worker@laptop" });
    await article.getByText("Your token can look, not answer.").waitFor();
    expect(await article.getByRole("button").count()).toBe(0);
    // Keys press no button that is not there.
    const { refused, settled } = followRequests(page);
    await page.keyboard.press("j");
    await page.keyboard.press("1");
    await settled();
    expect(refused).toEqual([]);
    expect(await team.client.decisions("open")).toMatchObject([{ id, state: "open" }]);
    await team.client.revokeToken(shown.id);
    await page.getByLabel("Token").waitFor();
    expect(await article.count()).toBe(0);
  });

  it("is no place for a machine's token", async () => {
    const { team } = await asked();
    const { page } = await openPage();
    await logIn(page, team.url, await team.token({ role: "reporter" }));
    await page.getByRole("alert").filter({ hasText: "A reporter's token does not allow this." }).waitFor();
  });
});
