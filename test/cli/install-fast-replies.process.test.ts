import { mkdirSync, readdirSync, readFileSync, renameSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { claudeTable } from "../../src/adapters/claude/claude.ts";
import { isRunning } from "../../src/node/process/signals.ts";
import { eventually } from "../support/processes.ts";
import { shared } from "../support/shared.ts";
import { command, type Entry, fastProject, LIMIT, NO_PUSH } from "./support/fast-project.ts";
import { shellCall } from "./support/project.ts";
import { call } from "./support/served-project.ts";

const FIXTURES = join(import.meta.dirname, "../fixtures/claude");

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
