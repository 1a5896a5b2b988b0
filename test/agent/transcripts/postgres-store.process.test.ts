import { afterAll } from "vitest";
import { postgresServer } from "../../support/postgres.ts";
import { SERVER_VARIABLE } from "../../support/postgres-databases.ts";
import { describeStore } from "./suite.ts";

const server = await postgresServer();
process.env[SERVER_VARIABLE] = server.url;
afterAll(() => {
  delete process.env[SERVER_VARIABLE];
});

describeStore("postgres");
