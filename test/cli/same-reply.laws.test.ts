import { mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { AGENT_NAMES, readPayload } from "../../src/adapters/agents.ts";
import { answer, findConfig } from "../../src/cli/hook/answer.ts";
import { asWritten } from "../../src/cli/hook/served/decide-call.ts";
import { CALL_PATH, callBody, replyIn } from "../../src/cli/hook/served/protocol.ts";
import { callServer } from "../../src/cli/hook/served/serve.ts";
import { NEW_REPLY } from "../../src/cli/hook/startup/write-reply.ts";
import { runs } from "../support/soak.ts";
import { newProject } from "./support/project.ts";
import { inPlace } from "./support/run-cli.ts";

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

it("an odd payload gets the same reply from the daemon, in an agent's process and from tenterhook hook", async () => {
  const project = newProject();
  const { cwd, environment } = project;
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
  const app = callServer({
    log: (error) => {
      throw error;
    },
  });
  let number = 0;
  let taken = 0;
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
        await inPlace(project, async () => {
          try {
            await findConfig(await readPayload(text, environment));
          } catch {
            // The reply says what is wrong with it.
          }
        });
        number += 1;
        const id = `call${String(number).padStart(24, "0")}-1`;
        const body = callBody({ id, cwd, variables: { environment }, text });
        const headers = { "content-length": String(Buffer.byteLength(body)) };
        const served = await app.request(CALL_PATH, { method: "POST", body, headers });
        const written = replyIn(Buffer.from(await served.arrayBuffer()), Object.fromEntries(served.headers));
        const { reply, after } = await inPlace(project, () => answer(text, environment, { ...NEW_REPLY }));
        await inPlace(project, after);
        const own = asWritten(reply);
        if (served.status === 200) {
          taken += 1;
          expect({ text, ...written }).toEqual({ text, ...own });
        }
      },
    ),
    { numRuns: runs(60, 2_000) },
  );
  expect(taken).toBeGreaterThan(0);
}, 600_000);
