// What reaches something outside through a package that ours contains: a database, MCP servers, providers of models. Prints what
// they answered.
import { Agent, mcpTools, openModel } from "tenterhook/agent";
import { postgresStore } from "tenterhook/stores";

/** @type {{ database: string, servers: Record<string, import("tenterhook/agent").McpServer>, models: [string, Record<string, string>][] }} */
const { database, servers, models } = JSON.parse(process.argv[2] ?? "");

const store = postgresStore({ url: database });
const texts = [];
for (const [name, environment] of models) {
  const model = await openModel(name, { environment });
  texts.push((await new Agent({ model, store }).run("Hello?", { close: true })).text);
}
const { transcripts } = await store.list();
await store.close();

const cwd = process.cwd();
const { tools, warnings, close } = await mcpTools(servers, {
  ...{ cwd, environment: {}, signal: new AbortController().signal },
});
await close();
const echoes = tools.map(({ name }) => name).filter((name) => name.endsWith("__echo"));
console.log(JSON.stringify({ texts, stored: transcripts.length, echoes, warnings }));
