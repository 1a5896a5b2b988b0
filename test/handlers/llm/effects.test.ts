import { createHooks, deny, type HookDefinition } from "tenterhook";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type ModelServer, startModelServer } from "../../../src/know/prove/model/model-server.ts";
import { OPENAI_CHAT } from "../../../src/know/prove/model/openai-chat-server.ts";
import { bashCall } from "../../support/events.ts";
import { sentQuestion } from "./requests.ts";

const servers: ModelServer[] = [];
afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));
beforeAll(() => {
  process.env.OPENAI_COMPATIBLE_API_KEY = OPENAI_CHAT.key;
});
afterAll(() => {
  delete process.env.OPENAI_COMPATIBLE_API_KEY;
});

const MODIFY = '{"action":"modify","modified_data":{"args":{"command":"ls -l"}}}';
const CONTEXT = '{"hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"Be brief."}}';
const FINE = '{"ok":true,"reason":""}';

/** A hook set with one judge that answers these texts. */
async function judged(texts: readonly string[], definition: Partial<HookDefinition> = {}) {
  const replies = texts.map((text) => ({ text }));
  const server = await startModelServer(OPENAI_CHAT, replies);
  servers.push(server);
  const hooks = createHooks();
  const judge = { model: `openai-compatible:${server.url}/judge`, cache_seconds: 0 };
  const matcher = { events: ["PreToolUse"] } as const;
  await hooks.add(
    { name: "judge", type: "llm", prompt: "Mend it.", matcher, ...definition },
    { root: "/", judge },
  );
  return { server, hooks };
}

describe("the effects of a judge", () => {
  it("include a change where its definition allows it", async () => {
    const { hooks, server } = await judged([MODIFY, FINE], { effects: ["deny", "modify"] });
    const { action, input, runs } = await hooks.fire(bashCall("ls"));
    expect([action, input]).toEqual(["continue", { command: "ls -l" }]);
    expect(runs.map(({ failure, recheck }) => [failure, recheck])).toEqual([
      [undefined, undefined],
      [undefined, true],
    ]);
    const [request] = server.requests;
    expect(sentQuestion(request).system).toContain('"action": "modify"');
    expect(JSON.stringify(request?.body.response_format)).not.toContain("schema");
  });

  it("pass all gates again: what it wrote is refused as if the agent had written it", async () => {
    const { hooks } = await judged([MODIFY, FINE], { effects: ["modify"] });
    hooks.on("PreToolUse", { name: "earlier", priority: 1 }, ({ tool_input }) =>
      tool_input.command === "ls -l" ? deny("Not in long form.") : undefined,
    );
    expect(await hooks.fire(bashCall("ls"))).toMatchObject({ action: "deny", reason: "Not in long form." });
  });

  it("include context where its definition allows it", async () => {
    const { hooks, server } = await judged([CONTEXT], { effects: ["deny", "context"] });
    const { action, context } = await hooks.fire(bashCall("ls"));
    expect([action, context.map(({ text }) => text)]).toEqual(["continue", ["Be brief."]]);
    const { system } = sentQuestion(server.requests[0]);
    expect([system.includes("additionalContext"), system.includes('"modify"')]).toEqual([true, false]);
  });

  it.each([
    ["modify", MODIFY, undefined],
    ["modify", MODIFY, ["deny", "context"]],
    ["context", CONTEXT, undefined],
    ["context", CONTEXT, ["deny", "modify"]],
    ["allow", '{"action":"modify","modified_data":{"args":{"command":"true"}},"ok":true}', ["modify"]],
  ] as const)("leave out %s by default and where others are named: %s %j", async (_, text, effects) => {
    const { hooks } = await judged([text], effects === undefined ? {} : { effects });
    const { action, input, runs } = await hooks.fire(bashCall("ls"));
    expect([action, input, runs[0]?.failure?.kind]).toEqual(["deny", undefined, "bad_output"]);
  });

  it("always include a refusal", async () => {
    const { hooks } = await judged(['{"ok":false,"reason":"No."}'], { effects: ["context"] });
    expect(await hooks.fire(bashCall("ls"))).toMatchObject({ action: "deny", reason: "No." });
  });

  it("are refused when the hook is added, where no event allows them", async () => {
    const matcher = { events: ["Notification"] } as const;
    await expect(judged([], { effects: ["modify"], matcher })).rejects.toThrow(/rewrite/);
  });
});
