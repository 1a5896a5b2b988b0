import { expect, it } from "vitest";
import { newProject } from "./support/project.ts";

it("completion offers commands, options, their values, hooks, packs, agents and events", async () => {
  const project = newProject();
  const hook = (name: string) => ({ name, type: "command", command: "true", matcher: { events: ["Stop"] } });
  await project.configure([hook("format-check"), hook("format-fix"), hook("tests")]);
  /** What the shell's function asks about a line that ends where the cursor is. */
  const offers = async (line: string) => {
    const { stdout } = await project.run(["completion", "words", "--", ...line.split(" ")]);
    return stdout.split("\n").filter((word) => word !== "");
  };
  expect(await offers("in")).toEqual(["inbox", "init", "install"]);
  expect(await offers("list --d")).toEqual(["--debug", "--disabled"]);
  expect(await offers("install --user --d")).toEqual(["--debug", "--dry-run"]);
  expect(await offers("list form")).toEqual(["format-check", "format-fix"]);
  expect(await offers("off --local safe")).toEqual(["safe-shell"]);
  expect(await offers("off git-cl")).toEqual(["git-clean"]);
  expect(await offers("agents s")).toEqual(["send", "show", "stop"]);
  expect(await offers("agents wait w1 --state i")).toEqual(["idle"]);
  expect(await offers("daemon token ")).toEqual(["create", "revoke"]);
  expect(await offers("init --pack safe-shell g")).toEqual(["git-safety"]);
  expect(await offers("install c")).toContain("claude");
  expect(await offers("emit agent:s")).toEqual(["agent:signal"]);
  expect(await offers("sessions ")).toEqual(["delete", "fork", "resume", "show"]);
  expect(await offers("help che")).toEqual(["check"]);
  expect(await offers("nonsense ")).toEqual([]);
});
