import { beforeAll, expect, it } from "vitest";
import { stringify } from "yaml";
import { mustBeBuilt } from "../repository/support/files.ts";
import { inTerminalOfPerson } from "../terminal/support/tmux.ts";
import { newProject } from "./support/project.ts";

beforeAll(mustBeBuilt);

/** Asks where to deploy, and puts the choice into the command. */
const WHERE = `
let payload = "";
process.stdin.on("data", (piece) => { payload += piece; });
process.stdin.on("end", () => {
  const { choice, tool_input } = JSON.parse(payload);
  console.log(JSON.stringify(
    choice === undefined
      ? { action: "ask", reason: "Deploy where?", options: ["staging", "production"] }
      : { action: "modify", modified_data: { tool_input: { command: tool_input.command + " " + choice } } },
  ));
});`;

it("the options of a command hook are offered on the terminal of our own agent", async () => {
  const project = newProject();
  const program = project.write("where.mjs", WHERE);
  const hook = { name: "where", type: "command", command: [process.execPath, program] };
  await project.configure([{ ...hook, matcher: { events: ["PreToolUse"] } }]);
  const call = { name: "Bash", input: { command: "echo" } };
  project.write("script.yaml", stringify([{ tool_calls: [call] }, { text: "Done." }]));
  const terminal = inTerminalOfPerson(project, ["run", "Go.", "--model", "scripted:script.yaml"]);
  await terminal.shows("2  production");
  terminal.keys("2", "Enter");
  await terminal.shows(/echo production[\s\S]*refuse and say why/);
  terminal.keys("y");
  expect(await terminal.exitCode()).toBe(0);
  expect(terminal.history()).toMatch(/Bash {2}echo production[\s\S]*\n {4}production\n/);
});
