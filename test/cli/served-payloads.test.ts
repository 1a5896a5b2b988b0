import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Hono } from "hono";
import { expect, it } from "vitest";
import { AGENT_NAMES, readPayload } from "../../src/adapters/agents.ts";
import { answer, findConfig } from "../../src/cli/hook/answer.ts";
import { asWritten } from "../../src/cli/hook/served/decide-call.ts";
import { CALL_PATH, callBody, replyIn } from "../../src/cli/hook/served/protocol.ts";
import { callServer } from "../../src/cli/hook/served/serve.ts";
import { NEW_REPLY } from "../../src/cli/hook/startup/write-reply.ts";
import { PACKAGE_VERSION } from "../../src/node/package-version.ts";
import { newProject, type Project, shellCall } from "./support/project.ts";
import { inPlace } from "./support/run-cli.ts";

const FIXTURES = join(import.meta.dirname, "../fixtures");

/** Every payload that was recorded from an agent. */
const payloads = AGENT_NAMES.flatMap((agent) =>
  readdirSync(join(FIXTURES, agent)).map((file) => readFileSync(join(FIXTURES, agent, file), "utf8")),
);

const failed = (error: unknown): never => {
  throw error;
};

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

/** Reads the configuration once, so that it is in the cache. */
async function fillCache(project: Project, payload: Readonly<Record<string, unknown>>): Promise<void> {
  const { environment } = project;
  await inPlace(project, async () => {
    await findConfig(await readPayload(JSON.stringify(payload), environment));
  });
}

async function post(
  app: Hono,
  { cwd, environment }: Project,
  number: number,
  text: string,
): Promise<Response> {
  const id = `call${String(number).padStart(24, "0")}-1`;
  const body = callBody({ id, cwd, variables: { environment }, text });
  const headers = { "content-length": String(Buffer.byteLength(body)) };
  return app.request(CALL_PATH, { method: "POST", body, headers });
}

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
    const app = callServer({ log: failed });
    const taken: string[] = [];
    for (const [number, fixture] of payloads.entries()) {
      const text = fixture.replaceAll("/home/dev/app", cwd);
      const payload = JSON.parse(text);
      await fillCache(project, payload);
      const served = await post(app, project, number, text);
      if (served.status !== 200) continue;
      const { reply } = await inPlace(project, () => answer(text, environment, { ...NEW_REPLY }));
      const written = replyIn(Buffer.from(await served.arrayBuffer()), Object.fromEntries(served.headers));
      expect({ text, ...written }).toEqual({ text, ...asWritten(reply) });
      taken.push(payload.hook_event_name);
    }
    // Most are events that rules alone decide.
    expect(taken.length).toBeGreaterThan(payloads.length / 4);
  },
);

it("the daemon leaves calls of another version, without variables, with another id or too long to Node", async () => {
  const app = callServer({ log: failed });
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

it("the daemon leaves calls to Node when it can't record them, and decides later ones", async () => {
  const project = newProject();
  await project.configure([
    {
      name: "no-push",
      type: "inline",
      matcher: { events: ["PreToolUse"] },
      rules: 'tool exists -> deny("No.")',
    },
  ]);
  const { cwd } = project;
  const payload = { session_id: "s1", cwd, tool_use_id: "t1", ...shellCall("git push") };
  await fillCache(project, payload);
  const logged: unknown[] = [];
  const broken = new Error("The disk is gone.");
  let calls = 0;
  const app = callServer({
    log: (error) => logged.push(error),
    record: () => {
      calls += 1;
      if (calls === 1) throw broken;
      return new Set();
    },
  });
  const status = async (number: number): Promise<number> =>
    (await post(app, project, number, JSON.stringify(payload))).status;
  expect(await Promise.all([status(1), status(2)])).toEqual([409, 200]);
  expect(await status(3)).toBe(200);
  expect(logged).toEqual([broken]);
});
