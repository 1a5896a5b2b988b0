// A bare hono server in a process of its own that sends back what it gets: `node echo-server.mjs <socket>`.
import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";

const app = new Hono();
app.post("/", async (context) => context.body(await context.req.arrayBuffer()));
createServer(getRequestListener(app.fetch)).listen(process.argv[2], () => process.send?.("ready"));
process.on("disconnect", () => process.exit());
