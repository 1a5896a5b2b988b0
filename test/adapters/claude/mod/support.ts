import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { claudeLastGate } from "../../../../src/adapters/claude/last-gate-seat.ts";
import type { Engine, On, Permission } from "../../../../src/adapters/claude/mod/claude-mods.ts";
import type { OwnPlace } from "../../../../src/adapters/integration.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

type Fields = Readonly<Record<string, unknown>>;
type Reply = Awaited<ReturnType<Engine["http"]["fetch"]>>;
type Ended = Awaited<ReturnType<Engine["process"]["run"]>>;

/** What stands around the module: a daemon, our program, and the files it reads. */
export interface Around {
  /** What the daemon answers to a payload; absent when there is none. */
  readonly daemon?: (payload: Fields) => object | number;
  /** What our program writes; absent when it is missing. */
  readonly program?: (payload: Fields) => string;
  /** By their paths; an error where one can't be read. */
  readonly files?: Readonly<Record<string, string | Error>>;
  readonly cwd?: string;
  readonly environment?: readonly string[];
  /** The folder that Claude Code was started in. */
  readonly project?: string;
  /** What installing has written into it. */
  readonly place?: OwnPlace;
}

const NOTHING = { stdout: "", stderr: "", exit_code: 0 };

/** A reply of a settings hook, as the daemon sends it. */
export function replying(specific: object): object {
  const output = { hookEventName: "PreToolUse", ...specific };
  return { ...NOTHING, stdout: JSON.stringify({ hookSpecificOutput: output }) };
}

const ENVIRONMENT = ["HOME=/home/me", "PATH=/usr/bin"];

const PLACE = { program: ["/opt/node", "/opt/tenterhook.cjs"], state: "/home/me/.local/state/tenterhook" };

/** The module as it is installed, which remembers nothing of an earlier one. */
async function installed(place: OwnPlace): Promise<(on: On) => void> {
  const folder = temporaryFolder();
  for (const [name, text] of claudeLastGate("", () => "").files(place)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return (await import(pathToFileURL(join(folder, "tenterhook/hooks/register.js")).href)).register;
}

/** The module as Claude Code loads it, and everything it was asked. */
export async function loadModule({
  daemon,
  program,
  files = {},
  cwd = "/home/me/app",
  environment = ENVIRONMENT,
  project = "/home/me/app",
  place = PLACE,
}: Around) {
  const handlers = new Map<string, (...given: readonly unknown[]) => unknown>();
  const shown: string[] = [];
  const asked: { readonly to: "daemon" | "program"; readonly payload: Fields; readonly text: string }[] = [];
  const started: { readonly argv: readonly string[]; readonly env: Readonly<Record<string, string>> }[] = [];
  const $: Engine = {
    plugin: { name: "tenterhook" },
    http: {
      fetch: async (_, { body, socketPath }): Promise<Reply> => {
        if (daemon === undefined || socketPath !== "/home/me/.local/state/tenterhook/monitor/hook.sock")
          throw new Error("ENOENT");
        const payload: Fields = JSON.parse(body.slice(body.indexOf("\0\0") + 2));
        asked.push({ to: "daemon", payload, text: body });
        const reply = daemon(payload);
        return typeof reply === "number"
          ? { status: reply, text: "" }
          : { status: 200, text: JSON.stringify(reply) };
      },
    },
    process: {
      run: async (argv, { stdin = "", env = {} } = {}): Promise<Ended> => {
        const [name = ""] = argv;
        const written = (stdout: string): Ended => ({ exitCode: 0, stdout, stderr: "" });
        if (name === "/usr/bin/env") return written(environment.map((entry) => `${entry}\0`).join(""));
        if (name === "/usr/bin/readlink") return written("mnt:[1]");
        started.push({ argv, env });
        if (program === undefined) throw new Error(`${name} failed to start: ENOENT`);
        const payload: Fields = JSON.parse(stdin);
        asked.push({ to: "program", payload, text: stdin });
        return written(program(payload));
      },
      hookEnv: async () => ({
        CLAUDE_CODE_SESSION_ID: "s1",
        CLAUDE_PID: "7",
        CLAUDE_PROJECT_DIR: project,
        CLAUDE_PLUGIN_ROOT: "/x",
      }),
    },
    session: {
      cwd: async () => cwd,
      info: async () => ({ transcriptPath: "/t.jsonl", promptId: "p1" }),
      version: async () => ({ version: "2.1.327" }),
    },
    ui: { toast: (text) => shown.push(text) },
    fs: {
      read: async (path) => {
        const text = files[path] ?? new Error(`tenterhook: $.fs.read(${path}) failed: ENOENT`);
        if (typeof text === "string") return text;
        throw text;
      },
    },
  };
  const on: On = (event, handler) => {
    handlers.set(event, (engine, e, next) => Reflect.apply(handler, undefined, [engine, e, next]));
    return { catch: () => undefined };
  };
  (await installed(place))(on);
  /** Has an event go through the module; `beneath` is what stands below. */
  const fire = async (
    event: string,
    e: Fields,
    beneath: (passed: Fields) => unknown = () => "ran",
    origin = "engine",
  ): Promise<unknown> => {
    const next = Object.assign(async (passed: Fields) => beneath(passed), {
      called: false,
      origin: { plugin: origin },
      to: async () => "past others",
    });
    return handlers.get(event)?.($, e, next);
  };
  return { asked, shown, started, fire };
}

let calls = 0;

/** A call of the shell, on its way through Claude Code: rewritten between check and run, if that is given. */
export async function callThrough(
  { fire }: Pick<Awaited<ReturnType<typeof loadModule>>, "fire">,
  input: Fields,
  { changed = input, below = { decision: "allow" } }: { changed?: Fields; below?: Permission } = {},
) {
  calls += 1;
  const call = { tool: "Bash", tool_use_id: `t${calls}` };
  const ran: Fields[] = [];
  const checks: unknown[] = [];
  const result = await fire("tool.call", { ...input, ...call }, async ({ tool, tool_use_id, ...passed }) => {
    const isFirst = ran.length + checks.length === 0;
    const check = await fire("tool.check", { ...call, input: passed }, () => below);
    checks.push(check);
    if (Reflect.get(Object(check), "decision") === "deny") return check;
    return fire("tool.run", { ...(isFirst ? { ...passed, ...changed } : passed), ...call }, (final) => {
      ran.push(final);
      return "ran";
    });
  });
  return { result, checks, ran: ran.map(({ tool, tool_use_id, ...final }) => final) };
}
