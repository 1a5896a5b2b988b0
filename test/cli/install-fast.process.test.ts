import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { claudeTable } from "../../src/adapters/claude/claude.ts";
import { isRunning } from "../../src/node/process/signals.ts";
import { eventually } from "../support/processes.ts";
import { shared } from "../support/shared.ts";
import { newProject, type Project, shellCall } from "./support/project.ts";
import { call, type ServedOptions, servedProject, socketOf, stopDaemon } from "./support/served-project.ts";

const LIMIT = { timeout: 180_000 };
const FIXTURES = join(import.meta.dirname, "../fixtures/claude");
const NO_PUSH = {
  name: "no-push",
  type: "inline",
  matcher: { events: ["PreToolUse"] },
  rules: 'command contains "git push" -> deny("Not from here.")',
};
const command = (name: string, events: readonly string[], line: string) => ({
  name,
  type: "command",
  matcher: { events },
  command: line,
});

/** Gives a project a service manager that does nothing, and a Claude Code of a version. */
function withService(project: Project, version = "2.1.325 (Claude Code)"): Project {
  const systemctl = project.write("../bin/systemctl", "#!/bin/sh\nexit 0\n");
  project.write("../bin/claude", `#!/bin/sh\necho "${version}"\n`);
  project.environment.PATH = `${join(systemctl, "..")}:${process.env.PATH}`;
  return project;
}

/** A project in whose user settings Claude Code asks a daemon that runs as a service. */
async function fastProject(
  definitions: readonly object[],
  { atEnd = onTestFinished, ...served }: ServedOptions = {},
) {
  const project = withService(newProject({ atEnd }));
  await project.configure(definitions);
  await project.run(["monitor", "install-service"]);
  await servedProject(definitions, { ...served, project, atEnd });
  const said = await project.run(["install", "claude", "--fast"]);
  expect(said).toMatchObject({ code: 0, stderr: "" });
  const file = join(project.environment.HOME ?? "", ".claude/settings.json");
  return { project, file, said, entries: () => entriesIn(file) };
}

/** The handlers of a settings file, by event. */
function entriesIn(file: string): Readonly<Record<string, Entry>> {
  const { hooks } = JSON.parse(readFileSync(file, "utf8"));
  return Object.fromEntries(
    Object.entries<readonly { hooks: readonly [Entry] }[]>(hooks).map(([event, [group]]) => [
      event,
      group?.hooks[0] ?? { type: "none" },
    ]),
  );
}

interface Entry {
  readonly type: string;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly onFailure?: string;
}

/** Asks as Claude Code does. */
async function asked({ url = "", headers = {} }: Entry, payload: object | string, signal?: AbortSignal) {
  const { "Tenterhook-Agent": _, ...others } = headers;
  return new Promise<{ status?: number | undefined; body: string }>((resolve, reject) => {
    const outgoing = request(
      url,
      { method: "POST", headers: others, ...(signal ? { signal } : {}) },
      (reply) => text(reply).then((body) => resolve({ status: reply.statusCode, body }), reject),
    );
    outgoing.on("error", reject);
    outgoing.end(typeof payload === "string" ? payload : JSON.stringify(payload));
  });
}

describe("tenterhook install claude --fast", () => {
  it("has gates and observers ask the daemon, and the rest start the program", LIMIT, async () => {
    const events = ["PreToolUse", "Notification", "SessionStart", "Stop"];
    const all = { type: "inline", matcher: { events }, rules: 'event equals "x" -> context("Never.")' };
    const { project, file, said, entries } = await fastProject([NO_PUSH, { name: "all", ...all }], {
      started: true,
    });
    expect(said.stdout).toContain("asks the daemon itself for");
    const { PreToolUse, Notification, SessionStart, Stop } = entries();
    expect([PreToolUse, Notification, SessionStart, Stop].map((one) => one?.type)).toEqual([
      "http",
      "http",
      "command",
      "command",
    ]);
    expect([PreToolUse?.onFailure, Notification?.onFailure]).toEqual(["block", undefined]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    for (const args of [
      ["install", "--fast"],
      ["install", "--scope", "user"],
      ["uninstall", "--scope", "user"],
    ]) {
      const { code, stdout } = await project.run([...args, "claude", "--dry-run"]);
      expect({ args, code }).toEqual({ args, code: 0 });
      expect(stdout).not.toMatch(/[0-9a-f]{64}/);
    }
    const real = join(project.folder, "dotfiles.json");
    renameSync(file, real);
    symlinkSync(real, file);
    const linked = await project.run(["install", "claude", "--fast"]);
    expect(linked.stdout.replaceAll(/\s+/g, " ")).toContain("The file is behind a link, and has a token");
    const here = await project.run(["doctor"]);
    expect(here.stdout).not.toContain("asks the daemon");
    expect(here.stdout).not.toContain("for PreToolUse differently");
    expect((await project.run(["monitor", "stop"])).stdout).toBe(
      "The monitor has stopped. Claude Code: calls are refused until it runs again.\n",
    );
    const away = await project.run(["doctor"]);
    expect(away.stdout.replaceAll(/\s+/g, " ")).toContain(
      "asks the daemon, which does not run: every call is refused.",
    );
    expect((await project.run(["monitor", "uninstall-service"])).stdout).toContain(
      "Claude Code: calls are refused until it runs again.",
    );
    expect((await project.run(["uninstall", "claude", "--scope", "user"])).code).toBe(0);
    expect(existsSync(real)).toBe(false);
  });

  it("keeps asking the daemon after --sync, and starts the program again after install", LIMIT, async () => {
    const { project, entries } = await fastProject([NO_PUSH]);
    const before = entries();
    await project.configure([{ ...NO_PUSH, matcher: { events: ["PreToolUse", "PostToolUse"] } }]);
    expect((await project.run(["install", "--sync"])).code).toBe(0);
    expect(entries().PostToolUse).toMatchObject({ type: "http" });
    expect(entries().PreToolUse).toEqual(before.PreToolUse);
    expect((await project.run(["install", "claude", "--scope", "user"])).code).toBe(0);
    expect(Object.values(entries()).map(({ type }) => type)).not.toContain("http");
  });

  it("gets new entries by --sync while the daemon is away", LIMIT, async () => {
    const { project, file, entries } = await fastProject([NO_PUSH]);
    expect((await project.run(["install", "claude", "--scope", "project"])).code).toBe(0);
    expect(entries().PostToolBatch).toBeUndefined();
    await stopDaemon(project);
    await project.configure([NO_PUSH, command("batch", ["PostToolBatch"], "true")]);
    expect(await project.run(["install", "--sync"])).toMatchObject({ code: 0, stderr: "" });
    expect(entries().PostToolBatch?.type).toBe("http");
    expect(entriesIn(join(project.cwd, ".claude/settings.json")).PostToolBatch?.type).toBe("command");

    rmSync(join(project.folder, "state"), { recursive: true });
    await project.configure([NO_PUSH, command("failures", ["PostToolUseFailure"], "true")]);
    const before = readFileSync(file, "utf8");
    const { code, stdout } = await project.run(["install", "--sync"]);
    expect(code).toBe(1);
    expect(stdout).toContain("claude: .claude/settings.json now calls Tenterhook");
    expect(stdout).toMatch(
      /Not installed: No daemon has run here yet, and \S+ asks one\. Run: tenterhook monitor install-service\.\n/,
    );
    expect(readFileSync(file, "utf8")).toBe(before);
  });

  it("is refused where the agent, its version, the file or the daemon will not do", LIMIT, async () => {
    const project = withService(newProject());
    await project.configure([NO_PUSH]);
    const refused = async (...args: readonly string[]) => {
      const { code, stderr } = await project.run(["install", ...args, "--fast"]);
      return [code, stderr.replaceAll(/\s+/g, " ")];
    };
    expect(await refused("codex")).toEqual([2, expect.stringContaining("Codex can't ask the daemon itself")]);
    expect(await refused("claude", "--scope", "project")).toEqual([
      2,
      expect.stringContaining("writes a token, and other people may read these settings."),
    ]);
    expect(await refused("claude")).toEqual([
      1,
      expect.stringContaining("Run: tenterhook monitor install-service."),
    ]);
    await project.run(["monitor", "install-service"]);
    expect(await refused("claude")).toEqual([
      1,
      expect.stringContaining("The monitor's daemon does not answer"),
    ]);
    project.environment.HTTPS_PROXY = "http://proxy.example";
    expect(await refused("claude")).toEqual([2, expect.stringContaining("Add 127.0.0.1 to NO_PROXY")]);
    withService(project, "2.1.240 (Claude Code)");
    expect(await refused("claude")).toEqual([2, expect.stringContaining("does not know onFailure")]);
    withService(project, "Hello");
    expect(await refused("claude")).toEqual([2, expect.stringContaining("claude --version does not show")]);
    rmSync(join(project.folder, "bin/claude"));
    project.environment.PATH = join(process.execPath, "..");
    expect(await refused("claude")).toEqual([2, expect.stringContaining("claude is not on the PATH")]);
    expect(existsSync(join(project.environment.HOME ?? "", ".claude"))).toBe(false);
    expect(existsSync(socketOf(project))).toBe(false);
  });
});

describe("Claude Code that asks the daemon", () => {
  const http = Object.entries(claudeTable.events).flatMap(([name, row]) => (row.http ? [name] : []));
  const fast = shared(async (atEnd) => {
    const says = "echo Not now. >&2; exit 2";
    const { project, entries } = await fastProject(
      [
        NO_PUSH,
        {
          name: "context",
          type: "inline",
          matcher: { events: http },
          rules: 'event exists -> context("Read {{event}}.")',
        },
        command("says-no", ["PostToolUse", "UserPromptSubmit", "PermissionRequest"], says),
        command("adds", ["PostToolBatch"], `echo '{"systemMessage":"Batch."}'`),
      ],
      { atEnd },
    );
    const { PreToolUse = { type: "none" } } = entries();
    return { project, PreToolUse };
  });

  it("gets the replies to recorded payloads that the command gives", LIMIT, async () => {
    const { project, PreToolUse } = fast();
    const compared: string[] = [];
    for (const name of readdirSync(FIXTURES)) {
      const payload = JSON.parse(
        readFileSync(join(FIXTURES, name), "utf8").replaceAll("/home/dev/app", project.cwd),
      );
      if (!http.includes(payload.hook_event_name)) continue;
      const byHttp = await asked(PreToolUse, { ...payload, session_id: "by-http" });
      const byCommand = await call(project, { ...payload, session_id: "by-command" });
      expect({ name, ...byHttp }).toEqual({ name, status: 200, body: byCommand.stdout });
      expect(byCommand.code).toBe(0);
      compared.push(name);
    }
    expect(compared).toHaveLength(http.length);
    const push = { session_id: "s", cwd: project.cwd, tool_use_id: "t", ...shellCall("git push") };
    expect(JSON.parse((await asked(PreToolUse, push)).body)).toMatchObject({
      hookSpecificOutput: { permissionDecision: "deny", permissionDecisionReason: "Not from here." },
    });
  });

  it("is decided about by the rules of the project in which it was started", LIMIT, async () => {
    const { project, PreToolUse } = fast();
    const transcript = (name: string, cwd: string) =>
      project.write(
        `../.claude/projects/p/${name}.jsonl`,
        `{"type":"mode"}\n${JSON.stringify({ type: "user", cwd })}\n`,
      );
    const elsewhere = project.folder;
    const decided = async (session_id: string, where: object, pwd = "") => {
      const payload = { session_id, transcript_path: "/none", ...where, ...shellCall("git push") };
      const headers = { ...PreToolUse.headers, "Tenterhook-Folder": pwd };
      const { status, body } = await asked({ ...PreToolUse, headers }, payload);
      expect(status).toBe(200);
      return body === "" ? "nothing" : JSON.parse(body).hookSpecificOutput.permissionDecisionReason;
    };

    const gone = { cwd: elsewhere, transcript_path: transcript("gone", project.cwd) };
    expect(await decided("it has gone elsewhere", gone)).toBe("Not from here.");
    const deleted = { cwd: project.cwd, transcript_path: transcript("deleted", join(elsewhere, "deleted")) };
    expect(await decided("resumed after its first folder was deleted", deleted)).toBe("Not from here.");

    expect(await decided("without a transcript", { cwd: project.cwd })).toBe("Not from here.");
    expect(await decided("without a transcript", { cwd: elsewhere })).toBe("Not from here.");
    expect(await decided("with one at last", { cwd: elsewhere })).toBe("nothing");
    expect(await decided("with one at last", gone)).toBe("Not from here.");

    const tree = join(elsewhere, "tree");
    mkdirSync(tree);
    const other = transcript("other", tree);
    const resumed = "resumed in another folder";
    expect(await decided(resumed, { cwd: tree, transcript_path: other }, tree)).toBe("nothing");
    const here = { cwd: project.cwd, transcript_path: other };
    expect(await decided(resumed, here, project.cwd)).toBe("Not from here.");
    expect(await decided(resumed, { ...here, cwd: tree }, project.cwd)).toBe("Not from here.");
    expect(await decided("started by a program with another PWD", gone, tree)).toBe("Not from here.");

    const moved = join(elsewhere, "moved");
    renameSync(project.cwd, moved);
    expect(await decided("it has gone elsewhere", gone)).not.toBe("nothing");
    renameSync(moved, project.cwd);
  });

  it("is refused in JSON what the command refuses with exit code 2", LIMIT, async () => {
    const { project, PreToolUse } = fast();
    const payload = JSON.stringify({ session_id: "s", cwd: project.cwd, ...shellCall("ls") });
    const twice = payload.replace("{", '{"session_id":"other",');
    const byCommand = await project.start(["hook"], twice);
    expect(byCommand).toMatchObject({ code: 2, stdout: "" });
    expect(JSON.parse((await asked(PreToolUse, twice)).body)).toEqual({
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "deny",
        permissionDecisionReason: byCommand.stderr.trim(),
      },
    });
    expect(await asked(PreToolUse, "no JSON")).toEqual({ status: 500, body: "" });
    const log = readFileSync(join(project.folder, "state/tenterhook/monitor/daemon.log"), "utf8");
    expect(log).toContain("A payload of Claude Code is not a JSON object.");
    expect(log).not.toContain("no JSON");
  });

  it("ends what was started for it when it waits no longer", LIMIT, async () => {
    const { project, entries } = await fastProject([
      command(
        "waits",
        ["PreToolUse"],
        '[ "$TENTERHOOK_COMMAND" = ls ] || exit 0; echo $$ > begun; exec sleep 600',
      ),
    ]);
    const { PreToolUse = { type: "none" } } = entries();
    const begun = join(project.cwd, "begun");
    const gone = new AbortController();
    const reply = asked(PreToolUse, { session_id: "s", cwd: project.cwd, ...shellCall("ls") }, gone.signal);
    const failed = reply.then(
      () => false,
      () => true,
    );
    await eventually(() => expect(readFileSync(begun, "utf8")).toMatch(/^\d+\n$/));
    const pid = Number(readFileSync(begun, "utf8"));
    expect(isRunning(pid)).toBe(true);
    gone.abort();
    expect(await failed).toBe(true);
    await eventually(() => expect(isRunning(pid)).toBe(false));
  });
});
