import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { resultWatcher } from "../../../src/adapters/claude/transcript.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const line = (entry: object) => `${JSON.stringify(entry)}\n`;
const called = (id: string, command: string) =>
  line({
    type: "assistant",
    message: { content: [{ type: "tool_use", id, name: "Bash", input: { command } }] },
  });
const result = (id: string) =>
  line({ type: "user", message: { content: [{ type: "tool_result", tool_use_id: id, content: "" }] } });

it("a call is answered when the transcript has its result, and not by an equal call before it", () => {
  const transcript_path = join(temporaryFolder(), "transcript.jsonl");
  writeFileSync(transcript_path, called("c1", "ls") + result("c1"));
  const isAnswered = resultWatcher({ transcript_path, tool_name: "Bash", tool_input: { command: "ls" } });
  const steps = [called("c2", "ls"), called("c3", "pwd") + result("c3"), result("c2")];
  const seen = steps.map((text) => {
    appendFileSync(transcript_path, text);
    return isAnswered();
  });
  expect([seen, isAnswered()]).toEqual([[false, false, true], false]);
});

it("a transcript that can't be read tells nothing", () => {
  expect(resultWatcher({ transcript_path: "/nowhere", tool_name: "Bash" })()).toBe(false);
});
