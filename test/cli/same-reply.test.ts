import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { readPayload } from "../../src/adapters/read-payload.ts";
import { AGENT_NAMES } from "../../src/core/events/agent-names.ts";
import { serveCalls } from "../../src/hook/daemon/serve.ts";
import { PACKAGE_VERSION } from "../../src/node/package-version.ts";
import { desk } from "../monitor/support/waiting-hook.ts";
import { runs, sampled } from "../support/long.ts";
import { decidedHere } from "./support/decided-here.ts";
import { newProject, type Project } from "./support/project.ts";
import { CLI, inPlace } from "./support/run-cli.ts";
import { MOUNTS, newCallId, type Sent, sendBody, sendCall } from "./support/send-call.ts";

const FIXTURES = join(import.meta.dirname, "../fixtures");
const RECORDED = AGENT_NAMES.flatMap((agent) =>
  readdirSync(join(FIXTURES, agent))
    .filter((file) => file.startsWith("PreToolUse") || file.startsWith("preToolUse") || agent === "claude")
    .map((file) => readFileSync(join(FIXTURES, agent, file), "utf8")),
);

const LINES = [
  "ls -la",
  "git push",
  "git  push",
  "GIT PUSH",
  "echo 'git push'",
  "sh -c 'git push'",
  "cat .env",
  "cat link/secret",
  "rm -rf .tenterhook",
  "rm -rf .Claude",
  "git stash",
  "x\u0000git push",
  "git\\\npush",
  "git push \ud800",
  "",
];
/** Values that a field of a payload can't be expected to have. */
const ODD = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    -0,
    1e308,
    "",
    " ",
    "Bash",
    "\ud800",
    "a\u0000b",
    "/",
    "~",
    "..",
    {},
    [],
  ),
  fc.constantFrom(...LINES),
  fc.constantFrom<unknown>({ command: "git push" }, ["git", "push"], { __proto__: null, a: 1 }),
);
/** What is put where into a recorded payload. */
const change = fc.tuple(
  fc.constantFrom(
    "command",
    "cmd",
    "args",
    "commands",
    "tool_name",
    "tool_input",
    "cwd",
    "session_id",
    "tool_use_id",
    "hook_event_name",
    "permission_mode",
    "description",
    "file_path",
    "path",
    "constructor",
    "toString",
    "native",
    "host",
    "event_id",
    "timestamp",
    "transcript_path",
  ),
  ODD,
  fc.boolean(),
);
/** Changes of the text itself. */
const spelling = fc.constantFrom<(text: string) => string>(
  (text) => text,
  (text) => text,
  (text) => `  ${text}\n`,
  (text) => `\ufeff${text}`,
  (text) => text.replace("{", '{"__proto__":{"tool_name":"Read"},'),
  (text) => text.replace("{", '{"tool_name":"Read","tool_name":"Bash",'),
  (text) => text.replace("git push", "git\\u0020push"),
  (text) => `${text}{}`,
  (text) => text.slice(0, -1),
);

function changed(text: string, changes: readonly (readonly [string, unknown, boolean])[]): string {
  const payload = JSON.parse(text);
  for (const [name, value, inside] of changes) {
    const input = payload.tool_input;
    const place =
      inside && typeof input === "object" && input !== null && !Array.isArray(input) ? input : payload;
    // A copy: what one change puts there, another may change or put into itself.
    const own = structuredClone(value);
    Object.defineProperty(place, name, { value: own, enumerable: true, configurable: true, writable: true });
  }
  return JSON.stringify(payload);
}

/** Runs with a server of calls in this process, whose folder and variables are the project's. */
function serving(
  project: Project,
  run: (ask: (text: string) => Promise<Sent>, socket: string) => Promise<void>,
) {
  const { folder, cwd, environment } = project;
  const socket = join(folder, "hook.sock");
  return inPlace(project, async () => {
    const failures: unknown[] = [];
    const onReplaced = () => failures.push("replaced");
    const log = (error: unknown) => failures.push(error);
    const server = await serveCalls({ socket, program: CLI, onReplaced, ask: desk().ask, log });
    try {
      // The same call, made twice, would be decided once.
      const claims = join(folder, "cache/tenterhook/claims");
      mkdirSync(claims, { recursive: true, mode: 0o700 });
      const forget = () => {
        for (const name of readdirSync(claims)) rmSync(join(claims, name));
      };
      const ask = async (text: string) => {
        forget();
        const sent = await sendCall(socket, { cwd, environment, text });
        forget();
        return sent;
      };
      await run(ask, socket);
    } finally {
      await server.close();
    }
    expect(failures).toEqual([]);
  });
}

it("an odd payload gets the same reply from the daemon and in a process of its own", async () => {
  const project = newProject();
  const { cwd } = project;
  mkdirSync(join(cwd, "private"));
  symlinkSync("private", join(cwd, "link"));
  await project.configure([
    {
      name: "no-push",
      type: "inline",
      matcher: { events: ["PreToolUse"] },
      rules:
        'command runs "git push" -> deny("Not {{tool_name}}.")\ncall reads "private/**" -> ask("Sure?")\npath glob "*.env" -> deny("No.")\ntool equals "Write" -> context("Wrote.")',
    },
    {
      name: "use",
      type: "inline",
      matcher: { events: ["PreToolUse", "PostToolUse"], tools: ["Bash"] },
      rules: 'command contains "never" -> deny()',
    },
  ]);
  await serving(project, async (ask) => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...RECORDED),
        fc.constantFrom(...LINES),
        fc.array(change, { maxLength: 3 }),
        spelling,
        async (recorded, line, changes, spell) => {
          const text = spell(
            changed(recorded.replaceAll("/home/dev/app", cwd), [["command", line, true], ...changes]),
          );
          const served = await ask(text);
          const reply = await decidedHere(project, text);
          // What can't be decided in the daemon is left to a process, which refuses it.
          if (served.status === 409) expect(JSON.stringify({ text, reply })).toContain("could not decide");
          else expect({ text, ...served }).toEqual({ text, status: 200, reply });
        },
      ),
      { numRuns: runs(15) },
    );
  });
}, 600_000);

const EVENTS = ["PreToolUse", "PostToolUse", "UserPromptSubmit", "PermissionRequest", "Notification"];

interface Rules {
  readonly rules: string;
  readonly events: readonly string[];
}

const CONFIGURATIONS: Readonly<Record<string, readonly Rules[]>> = {
  "no rule holds": [{ rules: 'command contains "never-written" -> deny("No.")', events: EVENTS }],
  "calls are denied": [{ rules: 'tool exists -> deny("Not {{tool_name}}.")', events: ["PreToolUse"] }],
  "calls are asked about": [{ rules: 'tool exists -> ask("Sure?")', events: ["PreToolUse"] }],
  "context is added": [{ rules: 'event exists -> context("Read {{event}}.")', events: EVENTS }],
  "commands are rewritten": [
    { rules: 'command exists -> set(command, "true")', events: ["PreToolUse"] },
    { rules: 'command contains "true" -> context("Rewritten.")', events: ["PreToolUse"] },
  ],
};

/** Every payload that was recorded from an agent. */
const PAYLOADS = AGENT_NAMES.flatMap((agent) =>
  readdirSync(join(FIXTURES, agent)).map((file) => readFileSync(join(FIXTURES, agent, file), "utf8")),
);

/** What no hook is asked about is the same in every configuration: one of them has all payloads, in `npm test` the others each fourth. */
const HAS_ALL = "no rule holds";

async function eventOf(text: string, { environment, cwd }: Project): Promise<string> {
  return (await readPayload(text, environment, cwd)).event.hook_event_name;
}

it.each(Object.entries(CONFIGURATIONS))(
  "the daemon replies to every recorded payload as a process does, byte for byte, when %s",
  async (name, hooks) => {
    const project = newProject();
    await project.configure(
      hooks.map(({ events, rules }, at) => ({
        name: `hook-${at}`,
        type: "inline",
        matcher: { events },
        rules,
      })),
    );
    await serving(project, async (ask) => {
      const asked = new Set(hooks.flatMap(({ events }) => events));
      for (const recorded of name === HAS_ALL ? PAYLOADS : sampled(PAYLOADS, 4)) {
        const text = recorded.replaceAll("/home/dev/app", project.cwd);
        if (name !== HAS_ALL && !asked.has(await eventOf(text, project))) continue;
        const served = await ask(text);
        expect({ text, ...served }).toEqual({ text, status: 200, reply: await decidedHere(project, text) });
      }
    });
  },
);

it("the daemon leaves calls of another version, without variables, with another id or of another home to a process", async () => {
  await serving(newProject(), async (_, socket) => {
    const status = async (body: string, version = PACKAGE_VERSION) =>
      (await sendBody(socket, body, `/hook/${version}`)).status;
    expect([
      await status(`${newCallId()}\0/\x001\x001\0${MOUNTS}\0A=1\0\0{}`, "0.0.0"),
      await status(`${newCallId()}\0/\x001\x001\0${MOUNTS}\0\0{}`),
      await status(`${newCallId()}\0/\x001\x001\0${MOUNTS}\0A=1`),
      await status(`other\0/\x001\x001\0${MOUNTS}\0A=1\0\0{}`),
      await status(`${newCallId()}\0/\x001\x001\0${MOUNTS}\0HOME=/other\0\0{}`),
      await status(`${newCallId()}\0/\x001\x001\0mnt:[1]\0A=1\0\0{}`),
    ]).toEqual([409, 409, 409, 409, 409, 409]);
  });
});
