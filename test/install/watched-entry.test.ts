import { expect, it } from "vitest";
import { integrationOf } from "../../src/adapters/integrations.ts";

it.each(["claude", "codex", "gemini", "qwen"])(
  "%s: an entry that only watches has drifted once a hook wants a gate there",
  async (agent) => {
    const { settings } = await integrationOf(agent);
    const events = [agent === "gemini" ? "BeforeAgent" : "UserPromptSubmit"];
    const ours = "UserPromptSubmit";
    const watched = settings.wanted([{ events: [ours], timeout: 0, observes: true }]).events;
    const asked = settings.wanted([{ events: [ours], timeout: 0 }]).events;
    const text = settings.install(undefined, watched);
    expect(settings.drifted(text, watched)).toEqual([]);
    expect(settings.drifted(text, asked)).toMatchObject(events.map((native) => ({ native, gate: true })));
    expect(settings.drifted(settings.install(text, asked), asked)).toEqual([]);
  },
);
