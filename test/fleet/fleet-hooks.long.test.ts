import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { rulesHook } from "../support/hook-definitions.ts";
import { eventually, isAlive } from "../support/processes.ts";
import { appendLine, fleetServer, newFleet } from "./support/fleet.ts";
import { notingProgram } from "./support/noting-program.ts";

const server = await fleetServer();

const rule = (words: string) =>
  rulesHook("team-rule", `args.command contains "${words}" -> deny("The team says no.")`);

const configOf = (...definitions: readonly object[]) => ({
  permissions: { mode: "bypass" },
  hooks: { definitions },
});

describe("the runs of a worker in one folder", () => {
  it("each obey the configuration as it is when they begin", async () => {
    const { submit, script, work, statuses, project, fleet } = await newFleet(server, {
      config: configOf(rule("one")),
    });
    const file = join(project.folder, "config/tenterhook/hooks.yaml");
    const lines = join(project.cwd, "lines.txt");
    const stateAfter = async (name: string): Promise<readonly unknown[]> => {
      const run_id = await submit({
        task: "Try.",
        model: script(name, [appendLine("one"), appendLine("two"), { text: "Over." }]),
      });
      const found = async () => (await statuses()).find((run) => run.run_id === run_id);
      // What can't begin here is handed back with the reason.
      await eventually(async () => {
        const { state, error } = (await found()) ?? {};
        expect(state === "done" || (state === "queued" && error !== undefined)).toBe(true);
      }, 60_000);
      const state = (await found())?.state;
      if (state === "queued") await fleet("cancel", run_id);
      return [state, existsSync(lines) ? readFileSync(lines, "utf8") : ""];
    };
    await work();
    expect(await stateAfter("first")).toEqual(["done", "two\n"]);
    writeFileSync(file, JSON.stringify(configOf(rule("two"))));
    expect(await stateAfter("second")).toEqual(["done", "two\none\n"]);
    writeFileSync(file, "hooks: [");
    expect(await stateAfter("third")).toEqual(["queued", "two\none\n"]);
    writeFileSync(file, JSON.stringify(configOf(rule("t"), rule("o"))).replace("team-rule", "other-rule"));
    expect(await stateAfter("fourth")).toEqual(["done", "two\none\n"]);
    writeFileSync(file, JSON.stringify(configOf()));
    expect(await stateAfter("fifth")).toEqual(["done", "two\none\none\ntwo\n"]);
  });

  it("leave no program of a persistent hook behind when the last of them has ended", async () => {
    const { submit, script, work, until, project } = await newFleet(server);
    const noted = join(project.folder, "pids.txt");
    const program = project.write("hook.mjs", notingProgram(noted));
    const matcher = { events: ["PreToolUse"] };
    const command = [process.execPath, program];
    const hook = { name: "program", type: "command", mode: "persistent", matcher, command };
    writeFileSync(join(project.folder, "config/tenterhook/hooks.yaml"), JSON.stringify(configOf(hook)));
    const model = script("s", [appendLine("one"), { text: "Over." }]);
    for (let run = 0; run < 3; run += 1) await submit({ task: "Work.", model });
    await work();
    await until("done");
    const pids = readFileSync(noted, "utf8").trim().split("\n").map(Number);
    await eventually(() => expect(pids.filter(isAlive)).toEqual([]));
    expect(readFileSync(join(project.cwd, "lines.txt"), "utf8")).toBe("one\none\none\n");
  });
});
