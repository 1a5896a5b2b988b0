import { appendFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { hookServer } from "./support/hook-server.ts";
import { newProject, type Project } from "./support/project.ts";

/** A project whose hook never lets an agent stop, and an agent that writes a transcript. */
async function watched(limits: object = {}, reason = "Tests fail.") {
  const project = newProject({ decidesHere: true });
  const { asks } = await hookServer(() => ({ action: "deny", reason }));
  await project.configure([{ name: "tests", ...asks, matcher: { events: ["Stop"] } }], { limits });
  const transcript_path = project.write("../transcript.jsonl", "");
  const add = (entry: object, timestamp = new Date()): void =>
    appendFileSync(transcript_path, `${JSON.stringify({ ...entry, timestamp })}\n`);
  add(PROMPT);
  return { project, add, transcript_path };
}

const PROMPT = { type: "user", promptId: "p1", message: { role: "user", content: "Go." } };

function answer(content: readonly object[], usage: object = {}, id = "m1"): object {
  return { type: "assistant", message: { id, role: "assistant", content, usage } };
}

const CALL = answer([{ type: "tool_use", id: "t1", name: "Bash", input: { command: "ls" } }]);

/** What Claude Code reads at a stop: the reason to go on, or what it shows to the user. */
async function stop(project: Project, time: number, transcript_path: string): Promise<unknown> {
  const { stdout } = await project.hook({
    hook_event_name: "Stop",
    prompt_id: "p1",
    stop_hook_active: time > 0,
    transcript_path,
  });
  const { reason, systemMessage } = JSON.parse(stdout);
  return reason ?? systemMessage;
}

describe("a turn of Claude Code", () => {
  it("is no longer continued when a hook gives the same reason three times and no tool was called", async () => {
    const { project, add, transcript_path } = await watched();
    const replies: unknown[] = [];
    for (let time = 0; time < 3; time += 1) {
      replies.push(await stop(project, time, transcript_path));
      add(answer([{ type: "text", text: "I can't." }], {}, `m${time}`));
    }
    expect(replies).toEqual([
      "Tests fail.",
      "Tests fail.",
      "A limit stopped the hooks (limits.same_stop_reason): A Stop hook gave the same reason 3 times in a row and the agent called no tool in between.",
    ]);
  });

  it("is continued for the same reason as long as tools are called", async () => {
    const { project, add, transcript_path } = await watched();
    for (let time = 0; time < 4; time += 1) {
      expect(await stop(project, time, transcript_path)).toBe("Tests fail.");
      add(CALL);
    }
  });

  it("knows a reason again that is long and has a secret in it", async () => {
    const secret = "tok-1234567890abcdef";
    const lines = Array.from({ length: 900 }, (_, at) => `failed: ${at} ${secret}`);
    const { project, transcript_path } = await watched({}, lines.join("\n"));
    project.environment.MY_API_TOKEN = secret;
    const replies: string[] = [];
    for (let time = 0; time < 3; time += 1)
      replies.push(String(await stop(project, time, transcript_path)).slice(0, 40));
    expect(replies).toEqual([
      expect.stringMatching(/^failed: 0/),
      expect.stringMatching(/^failed: 0/),
      "A limit stopped the hooks (limits.same_s",
    ]);
  });

  it("is no longer continued after its seconds, which count from the prompt", async () => {
    const { project, transcript_path } = await watched({ turn_seconds: 60 });
    expect(await stop(project, 0, transcript_path)).toBe("Tests fail.");
    const timestamp = new Date(Date.now() - 61_000);
    const earlier = project.write("../earlier.jsonl", `${JSON.stringify({ ...PROMPT, timestamp })}\n`);
    expect(await stop(project, 1, earlier)).toBe(
      "A limit stopped the hooks (limits.turn_seconds): This turn has taken more than 60 s.",
    );
  });

  it("is no longer continued after its tokens, of which those from the cache do not count", async () => {
    const { project, add, transcript_path } = await watched({ turn_tokens: 100 });
    const usage = { input_tokens: 20, cache_creation_input_tokens: 30, cache_read_input_tokens: 900 };
    add(answer([{ type: "text", text: "One." }], { ...usage, output_tokens: 1 }, "m1"));
    // A message that is written in parts counts once.
    add(answer([{ type: "text", text: "Two." }], { ...usage, output_tokens: 10 }, "m1"));
    expect(await stop(project, 0, transcript_path)).toBe("Tests fail.");
    add(answer([{ type: "text", text: "Three." }], { ...usage, output_tokens: 10 }, "m2"));
    expect(await stop(project, 1, transcript_path)).toBe(
      "A limit stopped the hooks (limits.turn_tokens): This turn has used 120 tokens; the limit is 100.",
    );
  });
});
