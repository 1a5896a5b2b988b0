import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Project } from "../../cli/support/project.ts";
import { bash, claudeSession, PUSH, projectWith, record, replayed, withRecorded } from "./support.ts";

describe("which sessions", () => {
  it("are those of one agent, since a time, or of one project", async () => {
    const project = projectWith();
    await withRecorded(project, "codex");
    record(project, claudeSession([PUSH], { at: "2026-01-01T00:00:00.000Z", session: "old" }), "old");
    record(project, claudeSession([PUSH], { cwd: join(project.cwd, "below"), session: "here" }), "here");
    const sessions = async (...args: readonly string[]) =>
      (await replayed(project, ...args)).changed.map(({ session }) => session.slice(0, 4)).sort();
    expect(await sessions()).toEqual(["01a1", "01a1", "here", "old"]);
    expect(await sessions("--agent", "claude")).toEqual(["here", "old"]);
    expect(await sessions("--since", "2026-06-01", "--agent", "claude")).toEqual(["here"]);
    expect(await sessions("--project", ".")).toEqual(["here"]);
  });

  it("are files and folders that people name, of whatever agent they are", async () => {
    const project = projectWith();
    await withRecorded(project, "codex", "gemini", "qwen", "copilot", "pi", "opencode", "claude");
    const home = join(project.folder, "home");
    const { would, unreadable } = await replayed(project, home);
    expect({ deny: would.deny, unreadable }).toEqual({ deny: 7, unreadable: 0 });
  });

  it("have a name that leads somewhere, and an agent that is known", async () => {
    const project = projectWith();
    const { stderr, code } = await project.run(["replay", "nowhere"]);
    expect({ stderr, code }).toMatchObject({
      stderr: expect.stringContaining("no file or folder nowhere"),
      code: 2,
    });
    expect((await project.run(["replay", "--agent", "nobody"])).stderr).toContain(
      "Agents: tenterhook, claude",
    );
  });

  it("of the journal are left out where a transcript tells the same, and say what was decided then", async () => {
    const project = projectWith();
    const journal = join(project.folder, "state/tenterhook/journal");
    mkdirSync(journal, { recursive: true });
    const line = (session_id: string, action: string, command: string): string =>
      JSON.stringify({
        v: 1,
        type: "decision",
        time: "2026-11-17T09:00:00.000Z",
        session_id,
        event_id: "e",
        event: {
          hook_event_name: "PreToolUse",
          host: "cursor",
          cwd: "/srv",
          tool_name: "Bash",
          tool_input: { command },
        },
        decision: { action },
        runs: [],
      });
    const lines = [
      line("s1", "continue", "git push --force"),
      line("s2", "deny", "git push --force"),
      line("s2", "deny", "ls"),
      line("s2", "continue", "echo inner"),
    ];
    writeFileSync(join(journal, "all.jsonl"), `${lines.join("\n")}\n`);
    record(project, claudeSession([bash("ls")]));
    const { events, would, changed } = await replayed(project);
    expect({ events, would }).toEqual({ events: 4, would: { deny: 0, ask: 1, rewrite: 0, same: 3 } });
    expect(changed.map(({ agent, recorded, now }) => [agent, recorded?.action, now.action])).toEqual([
      ["cursor", "deny", "continue"],
      ["cursor", "continue", "ask"],
    ]);
  });
});

describe("what was refused then and is refused now", () => {
  const recordIn = (project: Project, event: object, decision: object): void => {
    const journal = join(project.folder, "state/tenterhook/journal");
    mkdirSync(journal, { recursive: true });
    const head = {
      v: 1,
      type: "decision",
      time: "2026-11-17T09:00:00.000Z",
      session_id: "s1",
      event_id: "e",
    };
    appendFileSync(join(journal, "s1.jsonl"), `${JSON.stringify({ ...head, event, decision, runs: [] })}\n`);
  };

  it("is unchanged, also where a transcript tells of the call and only the journal of the refusal", async () => {
    const project = projectWith();
    const file = record(project, claudeSession([PUSH, bash("ls"), PUSH]));
    const [refused, , open] = [...readFileSync(file, "utf8").matchAll(/"id":"([^"]+)"/g)].map(([, id]) => id);
    expect(refused).not.toBe(open);
    const call = { hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: {}, tool_use_id: refused };
    recordIn(project, call, { action: "deny", reason: "Use --force-with-lease." });
    const { would, changed } = await replayed(project);
    expect({ would, changed: changed.length }).toEqual({
      would: { deny: 1, ask: 0, rewrite: 0, same: 2 },
      changed: 1,
    });
  });

  it("is unchanged for a stop that was not accepted", async () => {
    const project = projectWith(`hooks:
  definitions:
    - { name: tests, type: inline, matcher: { events: [Stop] }, rules: 'hook_event_name equals "Stop" -> keep_going("Test it.")' }
`);
    const stop = { hook_event_name: "Stop", host: "claude", cwd: "/srv", last_assistant_message: "Done." };
    recordIn(project, stop, { action: "continue", keep_going: { reason: "Test it." } });
    expect((await replayed(project)).would).toEqual({ deny: 0, ask: 0, rewrite: 0, same: 1 });
  });
});

describe("files that can't be read as they are", () => {
  it("lose only the lines that are broken, which are named", async () => {
    const project = projectWith();
    const file = record(project, claudeSession([PUSH]));
    appendFileSync(
      file,
      `no JSON at all\n{"type":"assistant","message":{"con\n[1,2]\n\n${claudeSession([PUSH])}`,
    );
    // The last line is being written, or was cut off.
    appendFileSync(file, claudeSession([PUSH]).slice(0, 100));
    const { stdout, stderr } = await project.run(["replay", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ unreadable: 4, would: { deny: 2 } });
    expect(stderr.match(/s1\.jsonl:\d+/g)).toEqual(["s1.jsonl:2", "s1.jsonl:3", "s1.jsonl:4", "s1.jsonl:7"]);
  });

  it("are counted as a whole when no agent writes such files, or they are no database", async () => {
    const project = projectWith();
    const names = [
      project.write("notes.txt", "dear diary\n"),
      project.write("empty.jsonl", ""),
      project.write("other.jsonl", '{"hello":"world"}\n'),
      project.write("broken.db", `SQLite format 3\u0000${"x".repeat(5000)}`),
    ];
    const { stdout, stderr, code } = await project.run(["replay", "--json", ...names]);
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 0, events: 0, unreadable: 4 });
    for (const name of names) expect(stderr).toContain(name.split("/").at(-1));
  });

  it("have calls without an input, or with one that is no object, which no hook was asked about", async () => {
    const project = projectWith();
    record(project, claudeSession([["Bash", []], PUSH]));
    expect(await replayed(project)).toMatchObject({ events: 1, unreadable: 1, would: { deny: 1 } });
  });
});
