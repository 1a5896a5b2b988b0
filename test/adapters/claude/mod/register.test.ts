import { describe, expect, it } from "vitest";
import { callThrough, loadModule, replying } from "./support.ts";

const LS = { command: "ls" };
const RM = { command: "rm x" };
const PASSED = { stdout: "", stderr: "", exit_code: 0 };
const deny = (reason: string) => replying({ permissionDecision: "deny", permissionDecisionReason: reason });
const commandOf = (payload: object): unknown =>
  Reflect.get(Object(Reflect.get(payload, "tool_input")), "command");

describe("our module in Claude Code", () => {
  it("asks the daemon once about a call, as a settings hook is asked, and lets it run", async () => {
    const module = await loadModule({ daemon: () => PASSED });
    expect(await callThrough(module, LS)).toEqual({
      result: "ran",
      checks: [{ decision: "allow" }],
      ran: [LS],
    });
    expect(module.asked).toEqual([
      {
        to: "daemon",
        payload: {
          session_id: "s1",
          transcript_path: "/t.jsonl",
          cwd: "/home/me/app",
          prompt_id: "p1",
          hook_event_name: "PreToolUse",
          tool_name: "Bash",
          tool_input: LS,
          tool_use_id: expect.stringMatching(/^t\d+$/),
        },
        text: expect.any(String),
      },
    ]);
    const [id, ...head] = module.asked[0]?.text.split("\0").slice(0, -1) ?? [];
    expect(id).toMatch(/^call[0-9a-f]{24}-1$/);
    const variables = [
      "HOME=/home/me",
      "PATH=/usr/bin",
      "CLAUDE_CODE_SESSION_ID=s1",
      "CLAUDE_PID=7",
      "CLAUDE_PROJECT_DIR=/home/me/app",
    ];
    expect(head).toEqual(["/home/me/app", "7", "7", "mnt:[1]", ...variables, ""]);
  });

  it("denies what our hooks deny, whatever others answer", async () => {
    const module = await loadModule({ daemon: () => deny("Not that.") });
    const denied = { decision: "deny", reason: "Not that." };
    expect(await callThrough(module, RM)).toEqual({ result: denied, checks: [denied], ran: [] });
  });

  it("takes a refusal by its exit code", async () => {
    const module = await loadModule({ daemon: () => ({ stdout: "", stderr: "Not that.\n", exit_code: 2 }) });
    expect((await callThrough(module, RM)).checks).toEqual([{ decision: "deny", reason: "Not that." }]);
  });

  it("asks about an input that was changed behind the check, and refuses it as it is about to run", async () => {
    const module = await loadModule({
      daemon: (payload) => (commandOf(payload) === "rm x" ? deny("Not that.") : PASSED),
    });
    expect(await callThrough(module, LS, { changed: RM })).toMatchObject({
      result: { deny: "Not that." },
      ran: [],
    });
    expect(module.asked.map(({ payload }) => commandOf(payload))).toEqual(["ls", "rm x"]);
  });

  it("has a person asked, and runs the call then; a deny of others stands", async () => {
    const module = await loadModule({
      daemon: () => replying({ permissionDecision: "ask", permissionDecisionReason: "Sure?" }),
    });
    const { checks, ran } = await callThrough(module, RM);
    expect([checks, ran]).toEqual([[{ decision: "ask", reason: "Sure?" }], [RM]]);
    const below = { decision: "deny" } as const;
    expect((await callThrough(module, RM, { below })).checks).toEqual([below]);
  });

  it("refuses another input than the person was asked about, when somebody must be asked about that", async () => {
    const module = await loadModule({
      daemon: () => replying({ permissionDecision: "ask", permissionDecisionReason: "Sure?" }),
    });
    expect(await callThrough(module, LS, { changed: RM })).toMatchObject({
      result: { deny: "Sure?" },
      ran: [],
    });
  });

  it("runs a call as our hooks have rewritten it, where somebody has dropped that", async () => {
    const module = await loadModule({
      daemon: (payload) =>
        commandOf(payload) === "ls" ? replying({ updatedInput: { command: "ls -l" } }) : PASSED,
    });
    expect(await callThrough(module, LS)).toMatchObject({ result: "ran", ran: [{ command: "ls -l" }] });
  });

  describe("knows nothing of a call any more", () => {
    const ASKED = replying({ permissionDecision: "ask", permissionDecisionReason: "Sure?" });
    const REWRITTEN = replying({ updatedInput: { command: "ls -l" } });
    const call = { tool: "Bash", tool_use_id: "again" };

    it("once it has failed, though somebody had agreed", async () => {
      const { fire } = await loadModule({ daemon: () => ASKED });
      const failing = fire("tool.call", { ...call, ...RM }, async () => {
        await fire("tool.check", { ...call, input: RM });
        throw new Error("No.");
      });
      await expect(failing).rejects.toThrow("No.");
      expect(await fire("tool.run", { ...call, ...RM })).toEqual({ deny: "Sure?" });
    });

    it("once it has failed, though it was to be rewritten", async () => {
      const { fire } = await loadModule({ daemon: () => REWRITTEN });
      const failing = fire("tool.call", { ...call, ...LS }, async () => {
        await fire("tool.run", { ...call, ...LS });
        throw new Error("No.");
      });
      await expect(failing).rejects.toThrow("No.");
      const ran: unknown[] = [];
      await fire("tool.call", { ...call, ...LS }, (passed) => ran.push(passed));
      expect(ran).toEqual([{ ...call, ...LS }]);
    });

    it("once it has run as it was rewritten", async () => {
      const { fire, asked } = await loadModule({
        daemon: (payload) => (commandOf(payload) === "ls" ? REWRITTEN : PASSED),
      });
      await fire("tool.call", { ...call, ...LS }, ({ command }) =>
        fire("tool.check", { ...call, input: { command } }),
      );
      await fire("tool.run", { ...call, command: "ls -l" });
      expect(asked.map(({ payload }) => commandOf(payload))).toEqual(["ls", "ls -l", "ls -l"]);
    });
  });

  it.each([
    ["no daemon", {}],
    ["a daemon that leaves the call to a process", { daemon: () => 409 }],
    ["a daemon that answers with something else", { daemon: () => ({ ok: true }) }],
  ])("asks our program where there is %s", async (_, around) => {
    const module = await loadModule({ ...around, program: () => JSON.stringify(deny("Not that.")) });
    expect((await callThrough(module, RM)).checks).toEqual([{ decision: "deny", reason: "Not that." }]);
    expect(module.asked.at(-1)).toMatchObject({ to: "program", payload: { tool_input: RM } });
  });

  describe("when our program is gone, or says something else", () => {
    const files = { "/home/me/.local/state/tenterhook/last-gate/guarded": '"/home/me/app"\n"/home/me/torn' };
    const sentence =
      /^Tenterhook guards this folder, and its program can't be asked: .*npm install -g tenterhook.*tenterhook uninstall claude --user.*tenterhook@tenterhook.*prependPlugins/;

    it.each([
      ["gone", {}],
      ["of another version", { program: () => "usage_error: Unknown option" }],
    ])("refuses in a folder that it guards (%s), with the way out", async (_, around) => {
      const { checks } = await callThrough(
        await loadModule({ ...around, files, cwd: "/home/me/app/src" }),
        LS,
      );
      expect(checks).toEqual([{ decision: "deny", reason: expect.stringMatching(sentence) }]);
    });

    it("refuses a call of the project that the agent has left for another folder", async () => {
      const { checks } = await callThrough(await loadModule({ files, cwd: "/home/me" }), LS);
      expect(checks).toEqual([{ decision: "deny", reason: expect.stringMatching(sentence) }]);
    });

    it("refuses everywhere where all folders are guarded", async () => {
      const all = { "/home/me/.local/state/tenterhook/last-gate/guarded": '"/"' };
      expect((await callThrough(await loadModule({ files: all }), LS)).ran).toEqual([]);
    });

    it("asks one that is elsewhere now, where it is a user's", async () => {
      const { fire, started } = await loadModule({ files });
      await callThrough({ fire }, LS);
      expect(started.map(({ argv }) => argv)).toEqual([
        ["/opt/node", "/opt/tenterhook.cjs", "hook", "--last-gate"],
        ["tenterhook", "hook", "--last-gate"],
      ]);
    });

    it("refuses where it can't be read what it guards", async () => {
      const failed = new Error("tenterhook: $.fs.read(/ENOENT/guarded) failed: EACCES");
      const unread = { [Object.keys(files).join()]: failed };
      expect((await callThrough(await loadModule({ files: unread }), LS)).ran).toEqual([]);
    });

    it.each([
      ["elsewhere", { files, cwd: "/home/me/application", project: "/home/me/application" }],
      ["where nothing was ever guarded", {}],
    ])("is in nobody's way %s", async (_, around) => {
      expect(await callThrough(await loadModule(around), LS)).toMatchObject({ ran: [LS] });
    });
  });

  it("keeps others from answering what it asks, and passes on what they ask", async () => {
    const { fire } = await loadModule({});
    for (const event of [
      "http.fetch",
      "process.run",
      "process.hookEnv",
      "session.cwd",
      "session.info",
      "fs.read",
    ]) {
      expect(await fire(event, {}, () => "theirs", "tenterhook")).toBe("past others");
      expect(await fire(event, {}, () => "theirs", "theirs")).toBe("theirs");
    }
  });

  it("lets no other plug-in ask on a socket, where the daemon would take its word", async () => {
    const { fire } = await loadModule({});
    const request = { url: "http://localhost/", init: { socketPath: "/any.sock" } };
    expect(await fire("http.fetch", request, () => "theirs", "theirs")).toMatchObject({
      deny: expect.stringContaining("no socket"),
    });
    expect(await fire("http.fetch", request, () => "theirs", "tenterhook")).toBe("past others");
  });

  it("asks no daemon where the user has switched it off", async () => {
    const environment = ["HOME=/home/me", "TENTERHOOK_DAEMON=0"];
    const module = await loadModule({
      environment,
      daemon: () => PASSED,
      program: () => JSON.stringify(PASSED),
    });
    await callThrough(module, LS);
    expect(module.asked.map(({ to }) => to)).toEqual(["program"]);
  });

  describe("in the seat of a machine", () => {
    const unset = ["NODE_OPTIONS", "NODE_COMPILE_CACHE"];
    const place = { program: ["/usr/bin/node", "/opt/tenterhook.cjs"], unset };
    const environment = ["HOME=/tmp/x", "XDG_STATE_HOME=/tmp/x", "TENTERHOOK_DAEMON=0", "PATH=/tmp/x"];
    const answered = ({ last_gate }: Readonly<Record<string, unknown>>) =>
      last_gate === "state" ? { ...PASSED, stdout: "/home/me/.local/state/tenterhook" } : deny("Not that.");

    it("asks the account's own daemon, whatever variables say", async () => {
      const program = (payload: Readonly<Record<string, unknown>>) => JSON.stringify(answered(payload));
      const module = await loadModule({ place, environment, program, daemon: () => deny("Not that.") });
      expect((await callThrough(module, RM)).ran).toEqual([]);
      expect(module.asked.map(({ to, payload }) => [to, payload.last_gate])).toEqual([
        ["program", "state"],
        ["daemon", undefined],
      ]);
      expect(module.started).toMatchObject([
        {
          argv: ["/usr/bin/node", "/opt/tenterhook.cjs", "hook", "--last-gate"],
          env: { HOME: "", XDG_STATE_HOME: "", NODE_OPTIONS: "", NODE_COMPILE_CACHE: "" },
        },
      ]);
    });

    it("refuses everywhere when our program is gone, and starts no other", async () => {
      const module = await loadModule({ place, environment, cwd: "/", project: "/", daemon: () => PASSED });
      expect((await callThrough(module, LS)).ran).toEqual([]);
      expect(new Set(module.started.map(({ argv }) => argv[0]))).toEqual(new Set(["/usr/bin/node"]));
    });
  });

  describe("beside a plug-in that acts by itself", () => {
    const provides = { modules: ["./register.js"], skills: ["s"] };
    const acting = { name: "theirs", root: "/theirs", uses: { calls: ["process.run"] }, provides };
    const passing = async (around: Parameters<typeof loadModule>[0], e: object = acting) => {
      const module = await loadModule(around);
      const passed: unknown[] = [];
      await module.fire("plugin.register", { ...e }, (one) => passed.push(one));
      return { ...module, passed };
    };
    const answer = (value: object) => ({ daemon: () => ({ ...PASSED, stdout: JSON.stringify(value) }) });

    it("leaves out its module, and says so with the line that would allow it", async () => {
      const { passed, shown, asked } = await passing(answer({ is_allowed: false, id: "theirs@12" }));
      expect(passed).toEqual([{ ...acting, provides: { ...provides, modules: [] } }]);
      expect(shown).toEqual([
        'Tenterhook left out the code of plug-in theirs: it starts programs or writes files by itself, or changes what others do, which no hook sees. To allow it: mods: { allow: ["theirs@12"] } in your own hooks.yaml.',
      ]);
      expect(asked.map(({ payload }) => payload)).toEqual([
        { last_gate: "plugin", name: "theirs", root: "/theirs", cwd: "/home/me/app" },
      ]);
    });

    it("lets it load when it was allowed, and asks about no other", async () => {
      expect((await passing(answer({ is_allowed: true }))).passed).toEqual([acting]);
      for (const harmless of [
        {
          ...acting,
          uses: { calls: ["http.fetch", "ui.toast"], events: ["tool.*", "http.fetched"] },
          unread: [],
        },
        { ...acting, provides: {} },
        { name: "theirs" },
      ]) {
        const { passed, asked } = await passing(answer({}), harmless);
        expect([passed, asked]).toEqual([[harmless], []]);
      }
    });

    it.each<readonly [what: string, plugin: object]>([
      ["can't be read", { uses: { calls: [] }, unread: ["hooks"] }],
      ["has calls that can't be read", { uses: {} }],
      ["leads requests elsewhere", { uses: { calls: [], events: ["http.fetch"] } }],
      ["changes what others start", { uses: { calls: [], events: ["process.*"] } }],
      ["sees everything but one event", { uses: { calls: [], events: ["!tool.describe"] } }],
    ])("leaves out one that %s, too", async (_, plugin) => {
      const { passed } = await passing(answer({ is_allowed: false }), { ...acting, ...plugin });
      expect(passed).toMatchObject([{ provides: { modules: [] } }]);
    });

    it("lets it load where nobody can be asked and nothing is guarded", async () => {
      expect((await passing({})).passed).toEqual([acting]);
    });
  });

  it("reports that it was loaded, with Claude's version, and the session goes on whatever becomes of that", async () => {
    const module = await loadModule({ daemon: () => PASSED });
    expect(await module.fire("session.start", {})).toBe("ran");
    expect(module.asked).toMatchObject([
      { payload: { last_gate: "loaded", session_id: "s1", version: "2.1.327" } },
    ]);
    expect(await (await loadModule({})).fire("session.start", {})).toBe("ran");
  });
});
