import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import type { Client, ClientResult, ClientRun } from "./client.ts";
import { startCursorBackend } from "./cursor-backend.ts";
import { cursorMessages, type MessageType } from "./cursor-messages.ts";
import { clientPackage, clientProgram } from "./install-clients.ts";

let messages: ((name: string) => MessageType) | undefined;

/** Runs one prompt with the agent that is in Cursor's SDK. It loads no hooks unless it is told whose. */
const PROGRAM = `import { Agent } from ${JSON.stringify(join(clientPackage("cursor"), "dist/esm/index.js"))};
const [cwd, prompt] = process.argv.slice(1);
const local = { cwd, settingSources: ["all"] };
const agent = await Agent.create({ apiKey: "key", model: { id: "scripted" }, local });
const run = await agent.send({ text: prompt });
for await (const event of run.stream()) console.log(JSON.stringify(event));
process.exit(0);`;

/** Runs Cursor's agent against a backend whose model says what the script has. */
async function run({
  project,
  prompt = "Go.",
  cwd = project.cwd,
  ...model
}: ClientRun): Promise<ClientResult> {
  // Cursor finds the project by asking git, and starts hooks in a login shell.
  execFileSync("git", ["init", "--quiet"], { cwd: project.cwd });
  const { HOME = "", PATH } = project.environment;
  mkdirSync(HOME, { recursive: true });
  writeFileSync(join(HOME, ".bash_profile"), `export PATH='${PATH}'\n`);
  messages ??= cursorMessages(clientPackage("cursor"));
  const backend = await startCursorBackend(model, messages);
  onTestFinished(() => backend.close());
  const child = spawn(clientProgram("cursor"), ["--input-type=module", "-e", PROGRAM, cwd, prompt], {
    cwd,
    env: {
      ...project.environment,
      LANG: "C.UTF-8",
      SHELL: "/bin/bash",
      CURSOR_BACKEND_URL: backend.url,
      CURSOR_WEBSITE_URL: backend.url,
      CURSOR_DATA_DIR: join(dirname(project.cwd), "cursor-data"),
      CURSOR_SDK_LOCAL_MODEL_CATALOG_JSON: '[{"id":"scripted","displayName":"scripted"}]',
    },
  });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  child.stdin.end();
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  if (!stdout.includes('"type"')) throw new Error(`Cursor's agent ended with ${code}. ${stderr}`);
  return { code, requests: backend.requests, lastSent: JSON.stringify(backend.requests) };
}

export const CURSOR: Client = {
  agent: "cursor",
  title: "Cursor",
  shell: (line) => [["shellArgs", { command: line }]],
  // Its SDK has no ripgrep.
  failing: [["grepArgs", { pattern: "two", path: "." }]],
  startSubagent: (prompt) => [
    ["subagentArgs", { prompt, subagentType: "generalPurpose", modelId: "scripted" }],
  ],
  run,
};
