import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { AGENT_NAMES, adapterFor } from "../../src/adapters/agents.ts";
import { answer } from "../../src/cli/hook/answer.ts";
import { findConfig } from "../../src/cli/hook/find-config.ts";
import { callServer } from "../../src/cli/hook/served/serve.ts";
import { newReply } from "../../src/cli/hook/startup/write-reply.ts";
import { PACKAGE_VERSION } from "../../src/node/package-version.ts";
import { newProject } from "./support/project.ts";
import { inPlace } from "./support/run-cli.ts";

const FIXTURES = join(import.meta.dirname, "../fixtures");

/** Every payload that was recorded from an agent. */
const payloads = AGENT_NAMES.flatMap((agent) =>
  readdirSync(join(FIXTURES, agent)).map((file) => readFileSync(join(FIXTURES, agent, file), "utf8")),
);

const EVENTS = ["PreToolUse", "PostToolUse", "UserPromptSubmit", "PermissionRequest", "Notification"];

const CONFIGURATIONS: Readonly<Record<string, readonly object[]>> = {
  "no rule holds": [{ rules: 'command contains "never-written" -> deny("No.")', events: EVENTS }],
  "calls are denied": [{ rules: 'tool exists -> deny("Not {{tool_name}}.")', events: ["PreToolUse"] }],
  "calls are asked about": [{ rules: 'tool exists -> ask("Sure?")', events: ["PreToolUse"] }],
  "context is added": [{ rules: 'event exists -> context("Read {{event}}.")', events: EVENTS }],
  "commands are rewritten": [
    { rules: 'command exists -> set(command, "true")', events: ["PreToolUse"] },
    { rules: 'command contains "true" -> context("Rewritten.")', events: ["PreToolUse"] },
  ],
};

it.each(Object.entries(CONFIGURATIONS))(
  "the daemon replies to every recorded payload as tenterhook hook does, byte for byte, when %s",
  async (_, hooks) => {
    const project = newProject();
    await project.configure(
      hooks.map(({ events, ...rest }: { events?: unknown }, at) => ({
        name: `hook-${at}`,
        type: "inline",
        matcher: { events },
        ...rest,
      })),
    );
    const { cwd, environment } = project;
    const app = callServer();
    const taken: string[] = [];
    for (const [number, fixture] of payloads.entries()) {
      const text = fixture.replaceAll("/home/dev/app", cwd);
      const payload = JSON.parse(text);
      await inPlace(project, async () => {
        const adapter = await adapterFor(payload, environment);
        await findConfig(adapter.decode(payload), adapter, environment);
      });
      const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}\0`);
      const body = `call${String(number).padStart(24, "0")}-1\0${cwd}\0${variables.join("")}\0${text}`;
      const headers = { "content-length": String(Buffer.byteLength(body)) };
      const served = await app.request(`/hook/${PACKAGE_VERSION}`, { method: "POST", body, headers });
      if (served.status !== 200) continue;
      const { reply } = await inPlace(project, () => answer(text, environment, newReply()));
      expect({ text, stdout: await served.text(), stderr: "", exit_code: 0 }).toEqual({
        text,
        ...{ stdout: reply.stdout, stderr: reply.stderr, exit_code: reply.exit_code },
      });
      taken.push(payload.hook_event_name);
    }
    // Most are events that rules alone decide.
    expect(taken.length).toBeGreaterThan(payloads.length / 4);
  },
  60_000,
);

it("the daemon leaves calls of another version, without variables, with another id or too long to Node", async () => {
  const app = callServer();
  const id = `call${"0".repeat(24)}-1`;
  const status = async (version: string, body: string): Promise<number> => {
    const headers = { "content-length": String(Buffer.byteLength(body)) };
    return (await app.request(`/hook/${version}`, { method: "POST", body, headers })).status;
  };
  expect([
    await status("0.0.0", `${id}\0/\0A=1\0\0{}`),
    await status(PACKAGE_VERSION, `${id}\0/\0\0{}`),
    await status(PACKAGE_VERSION, `${id}\0/\0A=1`),
    await status(PACKAGE_VERSION, `other\0/\0A=1\0\0{}`),
    await status(PACKAGE_VERSION, `${id}\0/\0A=1\0\0${" ".repeat(3_000_000)}`),
    await status(PACKAGE_VERSION, `${id}\0/no/such/folder\0A=1\0\0{}`),
  ]).toEqual([404, 409, 409, 409, 413, 409]);
});
