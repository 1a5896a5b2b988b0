import { allow, ask, context, deny, type EventName, keepGoing, rewrite, userMessage } from "tenterhook";
import { describe, expect, it } from "vitest";
import { readAnswer } from "../../../src/handlers/mcp/read-answer.ts";
import { decodeReply, readReplyText, readReplyValue } from "../../../src/handlers/reply/read-reply.ts";
import { anEvent, given } from "./support.ts";

const read = (name: EventName, reply: unknown) => given(() => readReplyValue(reply, anEvent(name)));
const readText = (name: EventName, text: string) => given(() => readReplyText(text, anEvent(name)));

describe("{ action, reason, modified_data } and { ok, reason }", () => {
  it.each<[EventName, object, readonly object[]]>([
    ["PreToolUse", { action: "continue", reason: "fine", modified_data: null }, []],
    ["PreToolUse", { action: "allow", reason: "fine" }, [allow("fine")]],
    ["PreToolUse", { action: "ask" }, [ask()]],
    [
      "PreToolUse",
      { action: "ask", reason: "Which?", options: ["a", { label: "b", recommended: true }] },
      [ask("Which?", { options: [{ label: "a" }, { label: "b", recommended: true }] })],
    ],
    ["PreToolUse", { action: "deny", reason: "no" }, [deny("no")]],
    ["Stop", { action: "deny", reason: "go on" }, [keepGoing("go on")]],
    ["PreToolUse", { action: "modify", modified_data: { args: { a: 1 } } }, [rewrite({ a: 1 })]],
    ["PreToolUse", { action: "modify", modified_data: { tool_input: { a: 1 } } }, [rewrite({ a: 1 })]],
    ["UserPromptSubmit", { action: "modify", modified_data: { prompt: "p" } }, [rewrite("p")]],
    ["PostToolUse", { action: "modify", modified_data: { tool_response: 7 } }, [rewrite(7)]],
    [
      "PreIteration",
      { action: "modify", modified_data: { system_prompt: "s", messages: [] } },
      [rewrite({ system_prompt: "s", messages: [] })],
    ],
    ["PreToolUse", { ok: true }, []],
    ["PreToolUse", { ok: true, reason: "looks fine" }, []],
    ["PreToolUse", { ok: false, reason: "no" }, [deny("no")]],
    ["SubagentStop", { ok: false, reason: "go on" }, [keepGoing("go on")]],
    ["PostToolUseFailure", { ok: false }, [context("A hook objects to this, without a reason.")]],
  ])("%s %j", (name, reply, outcomes) => {
    expect(read(name, reply)).toEqual(outcomes);
  });

  it.each<[EventName, object, string, (readonly string[])?]>([
    [
      "PreToolUse",
      { action: "Deny" },
      'action in the reply must be "continue" or "allow" or "ask" or "deny" or "modify" or "retry" or "answer", not "Deny".',
    ],
    ["PreToolUse", { action: "allow", options: ["a"] }, 'options belong to action: "ask".'],
    [
      "PreToolUse",
      { action: "ask", options: [] },
      "The reply asks, but its options are not a list of 1 to 20.",
    ],
    ["PreToolUse", { modified_data: { args: {} } }, 'modified_data belongs to action: "modify".'],
    [
      "PreToolUse",
      { action: "allow", modified_data: { args: {} } },
      'modified_data belongs to action: "modify".',
    ],
    ["PreToolUse", { action: "modify" }, "modified_data must be an object with tool_input or args."],
    [
      "PreToolUse",
      { action: "modify", modified_data: { argz: {} } },
      'modified_data must be an object with tool_input or args, not "argz". Did you mean "args"?',
    ],
    [
      "PreToolUse",
      { action: "modify", modified_data: { args: {}, tool_input: {} } },
      "modified_data gives tool_input twice.",
    ],
    [
      "Notification",
      { action: "modify", modified_data: { message: "x" } },
      'modified_data must be an object with nothing: the event can\'t be changed, not "message".',
    ],
    [
      "UserPromptSubmit",
      { action: "allow" },
      'action: "allow" asks for allow, which UserPromptSubmit does not allow (it allows deny, rewrite, context, user_message, abort).',
    ],
    ["Notification", { ok: false }, "ok: false means nothing on Notification."],
    ["PreToolUse", { ok: "false" }, 'ok in the reply must be true or false, not "false".'],
    [
      "PreToolUse",
      { ok: false, resaon: "no" },
      '"resaon" is not known in the reply. Did you mean "reason"? Expected: ok, reason.',
    ],
  ])("%s %j is refused", (name, reply, message) => {
    expect(read(name, reply)).toEqual({ bad_output: message });
  });
});

describe("the text of a reply", () => {
  it.each<[EventName, string, readonly object[]]>([
    ["PreToolUse", "", []],
    ["PreToolUse", " \n", []],
    ["PreToolUse", ' {"ok": false, "reason": "no"}\n', [deny("no")]],
    ["SessionStart", "branch: main\n", [context("branch: main")]],
    ["UserPromptSubmit", "today is Monday", [context("today is Monday")]],
    ["TurnStart", "x", [context("x")]],
    ["PreToolUse", "looked at it", [userMessage("looked at it")]],
    ["Stop", "bye", [userMessage("bye")]],
    ["PostToolUse", "[info] formatted {a, b}", [userMessage("[info] formatted {a, b}")]],
    ["PostToolUse", "42", [userMessage("42")]],
    ["PostToolUse", 'log\n{"level":"info"}', [userMessage('log\n{"level":"info"}')]],
  ])("%s %j", (name, text, outcomes) => {
    expect(readText(name, text)).toEqual(outcomes);
  });

  const NO_JSON = "The reply is not a JSON object. Print nothing else, and escape the strings in it.";
  const AROUND = "There is other output around the JSON of the reply; print the JSON alone.";
  it.each<[EventName, string, string, (readonly string[])?]>([
    ["PreToolUse", '{"decision":"approve"} done', NO_JSON],
    ["PostToolUse", 'got {"tool_response":{"ok":false,"continue":false}}', AROUND],
    ["PreToolUse", '{"decision":"block"} done', NO_JSON],
    ["PreToolUse", "{'decision': 'block'}", NO_JSON],
    ["PreToolUse", 'checking... {"decision":"block","reason":"no"}', AROUND],
    ["PreToolUse", '\u001b[0m{"decision":"block","reason":"no"}', AROUND],
    ["PreToolUse", 'debug\n{\n "decision": "block"\n}\ndone', AROUND],
    ["PreToolUse", '```json\n{\n  "decision": "block"\n}\n```', AROUND],
    ["PreToolUse", 'debug\n{"decision":"block","reason":"a " b"}', AROUND],
    ["PreToolUse", "debug {'ok': False}", AROUND],
    ["PreToolUse", 'data: {"decision":"block"}', AROUND],
    ["PreToolUse", 'data: {"action":"ask"}', AROUND],
    ["PreToolUse", 'x [{"decision":"block"}]', AROUND],
    ["PreToolUse", 'x {"result":{"decision":"block"}}', AROUND],
    ["PreToolUse", String.raw`x "{\"decision\":\"block\"}"`, AROUND],
    ["PreToolUse", `${"{".repeat(100)}{"decision":"block"}`, NO_JSON],
    ["PreToolUse", `x ${"{".repeat(100)}{"decision":"block"}`, AROUND],
    ["PreToolUse", 'x {"decision":"approve"}', AROUND],
    ["PreToolUse", '\0{"decision":"block"}', "The reply has NUL characters in it; it must be text in UTF-8."],
    ["PreToolUse", '{"ok":false\0x "reason":"r"}', NO_JSON],
    ["PreToolUse", '{"continue":false\0\0x}', NO_JSON],
    ["PreToolUse", '{"d\0ecision":"bl\0ock"} done', NO_JSON],
    ["Stop", 'x {"decision":"block","reason":"run the tests"}', AROUND, ["keep_going"]],
    ["PreToolUse", 'profile loaded\n{"decision":"block","reason":"no"}', AROUND],
    ["PreToolUse", 'log\n{\n  "continue": false\n}', AROUND],
    ["PreToolUse", 'log\n{"ok":true}\nend', AROUND],
    ["PreToolUse", '[{"decision":"approve"}]', "A reply in JSON must be an object, not a list."],
    ["PreToolUse", "false", "A reply in JSON must be an object, not false."],
    ["PreToolUse", '"deny"', 'A reply in JSON must be an object, not "deny".'],
    [
      "PreToolUse",
      '{"decision":"block","reason":"refused: ","decision":"approve","x":""}',
      'The reply gives "decision" twice.',
    ],
    [
      "PreToolUse",
      String.raw`{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"a":[{"k":1,"\u006b":2}]}}}`,
      'The reply gives "k" twice.',
    ],
  ])("%s %j is refused", (name, text, message) => {
    expect(readText(name, text)).toEqual({ bad_output: message });
  });

  it("that repeats keys and texts in different objects is fine", () => {
    const reply = '{"action":"modify","modified_data":{"args":{"action":"action","b":["b",{"b":"}\\"{"}]}}}';
    expect(readText("PreToolUse", reply)).toEqual([rewrite({ action: "action", b: ["b", { b: '}"{' }] })]);
  });

  it.each([6000, 100_000])(
    "that is faulty is a failure, though data of %i levels comes with it",
    (levels) => {
      const event = anEvent("PreToolUse");
      const text = `{"action":"deny","reason":"no","x":${"[".repeat(levels)}${"]".repeat(levels)}}`;
      const structured: unknown = JSON.parse(text);
      const failing = expect.objectContaining({ kind: "bad_output", refusals: [] });
      expect(() => readReplyText(text, event)).toThrow(failing);
      expect(() => readReplyValue(structured, event)).toThrow(failing);
      for (const content of [[], [{ type: "text", text }]])
        expect(() => readAnswer({ content, structured, is_error: false }, event, false)).toThrow(failing);
    },
  );

  it("is shown in messages without half a character", () => {
    const long = `${"x".repeat(78)}🙂🙂🙂`;
    for (const reply of [{ [long]: 1 }, { decision: long }, { ok: true, [long]: 1 }])
      expect(JSON.stringify(read("PreToolUse", reply))).not.toMatch(/\\ud[89a-f]/);
  });

  it("the text of a reply must be UTF-8", () => {
    expect(decodeReply(new TextEncoder().encode("é🙂"))).toBe("é🙂");
    expect(given(() => decodeReply(Uint8Array.of(0x7b, 0xff, 0x7d)))).toEqual({
      bad_output: "The reply is not valid UTF-8.",
    });
  });
});
