import { describe, expect, it } from "vitest";
import { copyOf, settle } from "../../../src/adapters/plugins/seal.ts";

const call = () => ({ command: "ls", edits: [{ oldText: "a", newText: "b" }] });

/** Arguments that were judged, and what is told afterwards. */
function settled(agreed: object = call()) {
  const args: Record<string, unknown> & ReturnType<typeof call> = call();
  const told: string[] = [];
  settle(args, { ...agreed }, (message) => told.push(message));
  return { args, told };
}

describe("the arguments of a call that was judged", () => {
  it("are those that were judged, in the agent's own object", () => {
    const { args } = settled({ command: "pwd" });
    expect(args).toEqual({ command: "pwd" });
  });

  it("read like any other object", () => {
    const { args } = settled();
    expect([JSON.stringify(args), { ...args }, structuredClone(args), Object.keys(args)]).toEqual([
      JSON.stringify(call()),
      call(),
      call(),
      ["command", "edits"],
    ]);
  });

  it.each<readonly [what: string, change: (args: ReturnType<typeof settled>["args"]) => unknown]>([
    ["a field", (args) => Object.assign(args, { command: "rm" })],
    ["a field further down", (args) => Object.assign(args.edits[0] ?? {}, { newText: "c" })],
    ["an item of a list", (args) => args.edits.splice(0, 1)],
    ["a new field", (args) => Object.assign(args, { workdir: "/" })],
    ["a new item", (args) => args.edits.push({ oldText: "", newText: "" })],
    ["a field that is gone", (args) => Reflect.deleteProperty(args, "command") || expect.fail()],
    ["a field by its definition", (args) => Object.defineProperty(args, "command", { value: "rm" })],
  ])("can't be changed any more: %s", (_what, change) => {
    const { args } = settled();
    expect(() => change(args)).toThrow();
    expect(args).toEqual(call());
  });

  it("name the file whose code writes into them", () => {
    const { args, told } = settled();
    const write = () => {
      args.command = "rm";
    };
    const sentence = `${import.meta.filename} wanted to change "command" of a call that Tenterhook had judged. That is refused.`;
    expect(write).toThrow(sentence);
    expect(told).toEqual([sentence]);
  });

  it("are not what somebody wrote into them while they were judged", () => {
    const args: Record<string, unknown> = call();
    const sent = copyOf(args);
    args.command = "rm";
    settle(args, sent, () => {});
    expect(args).toEqual(call());
  });

  it("are rewritten once when two copies of our plug-in judge the same call", () => {
    const { args } = settled({ command: "sandbox ls" });
    settle(args, { command: "sandbox sandbox ls" }, () => {});
    expect(args).toEqual({ command: "sandbox ls" });
  });

  it("may be frozen already, if nothing has to be rewritten", () => {
    const args: Record<string, unknown> = Object.freeze(call());
    settle(args, call(), () => {});
    const others: Record<string, unknown> = Object.freeze(call());
    expect(() => settle(others, { command: "pwd" }, () => {})).toThrow(
      "A plug-in has frozen the arguments of this call, so Tenterhook can't rewrite them.",
    );
  });

  it("are no longer what a plug-in's own getter says", () => {
    const args: Record<string, unknown> = {};
    Object.defineProperty(args, "command", { get: () => "rm", enumerable: true, configurable: true });
    settle(args, { command: "ls" }, () => {});
    expect(args).toEqual({ command: "ls" });
  });
});
