import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { DESKTOPS } from "../../../src/monitor/notify/desktop.ts";
import { notLinux } from "../../support/not-here.ts";
import { eventually } from "../../support/processes.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { held, monitored } from "./support/world.ts";

/** A folder with a program of this name that runs these lines. */
function programFolder(name: string, lines: string): string {
  const folder = temporaryFolder();
  const file = join(folder, name);
  writeFileSync(file, `#!/bin/sh\n${lines}\n`);
  chmodSync(file, 0o755);
  return folder;
}

describe("a notification on the desktop", () => {
  it("shows title and text as they are, whatever is in them", async ({ skip }) => {
    skip(notLinux !== undefined, notLinux);
    const folder = programFolder("notify-send", 'printf "%s\\n" "$@" >> "$SEEN"');
    const seen = join(folder, "seen");
    const { take } = await monitored(
      { notify: [{ desktop: true }] },
      { PATH: `${folder}:${process.env.PATH}`, SEEN: seen },
    );
    await take(held("plan_approval", "--help $(touch /tmp/x) <b>&", { agent_id: "-x" }));
    await eventually(() => expect(readFileSync(seen, "utf8")).toContain("accept"));
    expect(readFileSync(seen, "utf8").split("\n").slice(0, 4)).toEqual([
      "--app-name=tenterhook",
      "--",
      "-x has a plan to approve in shop",
      "│ --help $(touch /tmp/x) &lt;b>&amp;",
    ]);
  });

  it.each(["darwin", "win32"] as const)("on %s has no text in its script", (platform) => {
    const text = '" & do shell script "id';
    const { args, variables = {} } = DESKTOPS[platform]?.({ title: "title", text }) ?? { args: [] };
    const script = args.filter((arg) => arg !== text && arg !== "title").join("\n");
    expect(script).not.toContain("do shell script");
    expect([...args, ...Object.values(variables)]).toContain(text);
  });

  it("that no program can show is said in the status", async ({ skip }) => {
    skip(notLinux !== undefined, notLinux);
    const { take, notifier } = await monitored({ notify: [{ desktop: true }] }, { PATH: temporaryFolder() });
    await take(held("plan_approval", "1. Paint"));
    await eventually(() =>
      expect(notifier.channels()).toEqual([
        { channel: "desktop", problem: expect.stringContaining("notify-send") },
      ]),
    );
  });
});

describe("a command", () => {
  it("has the decision as JSON on its stdin, and no secrets", async () => {
    const folder = temporaryFolder();
    const { take } = await monitored(
      { notify: [{ command: `cat > ${folder}/stdin; env > ${folder}/env` }] },
      { DB_PASSWORD: "correct horse battery" },
    );
    const asked = held("plan_approval", "1. Paint correct horse battery");
    await take(asked);
    await eventually(() => expect(readFileSync(join(folder, "env"), "utf8")).toContain("PATH="));
    const [stdin, variables] = ["stdin", "env"].map((name) => readFileSync(join(folder, name), "utf8"));
    expect(JSON.parse(stdin ?? "")).toMatchObject({
      event: "decision.opened",
      decision: { id: asked.id, source: "plan" },
    });
    expect(`${stdin}${variables}`).not.toContain("correct horse battery");
  });

  it("may print the answer", async () => {
    const script = 'process.stdout.write(JSON.stringify({ choices: ["deny"], message: "Not now" }))';
    const { take, answerTo, decision } = await monitored({
      notify: [{ command: [process.execPath, "-e", script] }],
    });
    const asked = held("permission", { tool_name: "Bash", tool_input: { command: "ls" } });
    await take(asked);
    expect(await answerTo(asked)).toEqual({ allow: false, feedback: "Not now" });
    expect((await decision(asked.id))?.resolved).toMatchObject({ channel: "command" });
  });

  it("does not wait for that of another decision", async () => {
    const folder = temporaryFolder();
    // Each ends when three have begun.
    const wait = `while [ "$(ls ${folder} | wc -l)" -lt 3 ]; do sleep 0.05; done`;
    const command = `mktemp -p ${folder} > /dev/null; ${wait}; echo '{"choices":["allow"]}'`;
    const { take, answerTo } = await monitored({ notify: [{ command, timeout: 60 }] });
    const asked = [1, 2, 3].map(() => held("permission", { tool_name: "Bash" }));
    await take(...asked);
    for (const one of asked) expect(await answerTo(one)).toEqual({ allow: true });
  });

  it("that prints something else has not answered", async () => {
    const { take, store, decision } = await monitored({ notify: [{ command: "echo accept" }] });
    const asked = held("plan_approval", "1. Paint");
    await take(asked);
    await eventually(async () => {
      const rows = await store.update((tables) => tables.deliveries(asked.id));
      expect(rows).toMatchObject([{ state: "done" }]);
    });
    expect((await decision(asked.id))?.state).toBe("open");
  });

  it("that takes too long is ended and not started again", async () => {
    const folder = temporaryFolder();
    const seen = join(folder, "seen");
    const { take, notifier } = await monitored({
      // Long enough to begin on a busy machine.
      notify: [{ command: `echo x >> ${seen}; sleep 60`, timeout: "5s" }],
    });
    await take(held("plan_approval", "1. Paint"));
    await eventually(() =>
      expect(notifier.channels()).toEqual([
        { channel: "command", problem: "The command took longer than 5 s." },
      ]),
    );
    expect(readFileSync(seen, "utf8")).toBe("x\n");
  });
});
