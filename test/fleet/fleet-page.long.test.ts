import { hostname } from "node:os";
import { expect, it } from "vitest";
import { connected, logIn, pageOpener } from "../dashboard/support/browser.ts";
import { takePicture } from "../dashboard/support/pictures.ts";
import { postgresServer } from "../support/postgres.ts";
import { parkedRun } from "./support/parked-run.ts";

const server = await postgresServer();
const openPage = pageOpener();

it("what a run of the fleet asks is answered in the page of the team, and the run goes on and is done", async () => {
  const { client, served, run, until, lines } = await parkedRun(server, "serve");
  const { token } = await client.createToken({ role: "person", name: "anna" });
  const { page } = await openPage();
  await logIn(page, served(), token);
  await connected(page);
  const article = page.getByRole("article").filter({ hasText: "echo asked" });
  await article.getByText("Write down that it was asked.", { exact: true }).waitFor();
  await article
    .getByText(`Parked on ${hostname()}: no process waits. A worker goes on with the answer.`)
    .waitFor();
  await takePicture(page, "team-parked-run");
  await article.getByRole("button", { name: "allow" }).first().click();
  expect((await until("done"))[0]).toMatchObject({ run_id: run, result: { text: "Over." } });
  expect(lines()).toBe("asked\n");
  const row = page.getByRole("table", { name: "Agents" }).getByRole("row", { name: /ended/ });
  await row.getByText("Write down that it was asked.").waitFor();
  await page.goto(new URL("/inbox", page.url()).href);
  await page
    .getByRole("table", { name: "Answered" })
    .getByText("answered with allow by anna (dashboard).")
    .waitFor();
  await takePicture(page, "team-run-done");
});
