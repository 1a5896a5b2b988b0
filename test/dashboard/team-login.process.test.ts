import { describe, expect, it } from "vitest";
import { hookAt } from "../monitor/support/waiting-hook.ts";
import { machine, permission, teamMonitor } from "../monitor/team/support/team.ts";
import { leaveOut, notLinux } from "../support/not-here.ts";
import { eventually } from "../support/processes.ts";
import { connected, logIn, pageOpener, RECEIPT } from "./support/browser.ts";

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

  it("asks for a token, shows a person what agents ask on other machines, and takes the answer", async () => {
    const { team, laptop, id } = await asked();
    const { page } = await openPage();
    await logIn(page, team.url, "thk_wrong");
    await page.getByRole("alert").filter({ hasText: "unknown, expired or revoked" }).waitFor();
    await logIn(page, team.url, await team.token({ role: "person", name: "anna" }));
    await connected(page);
    expect(new URL(page.url()).search).toBe("");
    const article = page.getByRole("article", { name: "worker@laptop" });
    await article.waitFor();
    const waiting = hookAt({ id }, laptop.environment);
    const receipt = page.getByText(RECEIPT);
    // What became of the question is heard after the receipt of the answer, which stays.
    await page.route("**/answered", async (route) => {
      await receipt.waitFor();
      await route.continue();
    });
    const fate = page.waitForResponse("**/answered");
    await article.getByRole("button", { name: "Allow" }).first().click();
    expect(await waiting).toMatchObject({ answer: { allow: true }, by: "anna", channel: "dashboard" });
    await fate;
    await receipt.waitFor();
    expect(await page.context().cookies()).toEqual([]);
    await page.reload();
    await connected(page);
  });
});
