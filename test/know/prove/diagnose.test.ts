import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { integrationOf } from "../../../src/adapters/integrations.ts";
import { otherHooks, whyUnreached } from "../../../src/know/prove/diagnose.ts";
import { copilotDriver } from "../../../src/know/prove/drivers/copilot.ts";
import { geminiDriver } from "../../../src/know/prove/drivers/gemini.ts";
import { SCENARIOS } from "../../../src/know/prove/scenarios.ts";
import { judged } from "../../../src/know/prove/try-scenarios.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const RUN = { requests: 1, tools: [], sent: "", stderr: "", endless: false, records: [], made: () => false };

async function provenAgent(driver: typeof copilotDriver) {
  const home = temporaryFolder();
  return {
    driver,
    integration: await integrationOf(driver.agent),
    program: driver.agent,
    real: { root: join(home, "work/app"), home, environment: {} },
    signal: new AbortController().signal,
    onRun: () => undefined,
  };
}

describe("why an agent did not ask us", () => {
  it.each([
    [["work/app"], "does not say why"],
    [["work"], "does not say why"],
    [["elsewhere"], "the folder is not trusted, so GitHub Copilot CLI starts no hook"],
  ])("with Copilot's trust in %j", async (trusted, why) => {
    const proven = await provenAgent(copilotDriver);
    const { home } = proven.real;
    const file = join(home, ".copilot/config.json");
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify({ trustedFolders: trusted.map((name) => join(home, name)) }));
    expect(whyUnreached({ ...proven, run: RUN }).why).toContain(why);
  });
});

it("the hooks of others that may keep an agent from obeying are those on the same event", async () => {
  const { integration, real } = await provenAgent(geminiDriver);
  const file = join(real.home, ".gemini/settings.json");
  mkdirSync(dirname(file), { recursive: true });
  const group = (command: string) => [{ hooks: [{ type: "command", command }] }];
  const hooks = { BeforeTool: group("./before.sh"), AfterAgent: group("./more-work.sh") };
  writeFileSync(file, JSON.stringify({ hooks }));
  const found = ["PreToolUse", "Stop", "UserPromptSubmit"].map((event) =>
    otherHooks(integration, real, event),
  );
  expect(found).toEqual([["./before.sh"], ["./more-work.sh"], []]);
});

describe("an agent that had to be ended", () => {
  it.each(SCENARIOS.filter(({ broken }) => broken === undefined).map(({ name }) => name))(
    "is not accused of ignoring what it did not come to: %s",
    async (name) => {
      const [scenario] = SCENARIOS.filter((one) => one.name === name);
      if (scenario === undefined) throw new Error(name);
      const event = { hook_event_name: scenario.event, text: scenario.word };
      const records = [{ event }] as never;
      const proof = judged(
        await provenAgent(geminiDriver),
        scenario,
        { ...RUN, endless: true, records },
        undefined,
      );
      expect(["not_reached", "obeyed"]).toContain(proof.result);
    },
  );
});
