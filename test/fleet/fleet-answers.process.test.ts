import { expect, it } from "vitest";
import { postgresServer } from "../support/postgres.ts";
import { parkedRun } from "./support/parked-run.ts";

const server = await postgresServer();

it("a person with a token answers it through the team's server; a viewer does not", async () => {
  const { client, question, served, until, lines } = await parkedRun(server, "serve");
  const answer = async (role: "person" | "viewer", choice: string) => {
    const { token } = await client.createToken({ role, name: `the-${role}` });
    return fetch(`${served()}/v1/decisions/${question}/resolve`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ choices: [choice] }),
    });
  };
  expect((await answer("viewer", "allow")).status).toBe(403);
  expect((await answer("person", "allow")).status).toBe(200);
  expect((await until("done"))[0]).toMatchObject({ result: { text: "Over." } });
  expect(lines()).toBe("asked\n");
  expect(await (await answer("person", "deny")).json()).toMatchObject({
    error: { message: "Too late: answered with allow by the-person (http)." },
  });
});
