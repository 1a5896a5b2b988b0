import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { signature } from "../../../src/node/signature.ts";
import { freePort } from "../../support/free-port.ts";
import { endAfterTest, eventually } from "../../support/processes.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { held, monitored } from "./support/world.ts";

const KEY = "the key of this webhook";

it("the webhook of the guide verifies what it gets, and its signed reply is the answer", async () => {
  const guide = readFileSync(new URL("../../../docs/guides/monitor.md", import.meta.url), "utf8");
  const [, program = ""] = /```js\n(.*?)```/s.exec(guide) ?? [];
  const file = join(temporaryFolder(), "receiver.mjs");
  writeFileSync(file, program);
  const port = await freePort();
  const server = spawn(process.execPath, [file], {
    env: { PATH: process.env.PATH, HOOK_KEY: KEY, PORT: String(port) },
    stdio: "ignore",
  });
  endAfterTest(server);
  const url = `http://127.0.0.1:${port}/`;
  const post = async (body: string, header: string): Promise<number> => {
    const headers = { "x-tenterhook-signature": header };
    return (await fetch(url, { method: "POST", body, headers })).status;
  };
  const closed = JSON.stringify({ event: "decision.closed", decision: {} });
  await eventually(async () => expect(await post(closed, signature(closed, KEY))).toBe(200));
  expect(await post(closed, signature(closed, "another key"))).toBe(401);
  expect(await post(`${closed} `, signature(closed, KEY))).toBe(401);
  expect(await post(closed, signature(closed, KEY, 1000))).toBe(401);
  expect(await post(closed, "")).toBe(401);
  const world = await monitored({ notify: [{ webhook: url, secret_env: "HOOK_KEY" }] }, { HOOK_KEY: KEY });
  const asked = held("permission", { tool_name: "Bash", tool_input: { command: "ls" } });
  await world.take(asked);
  expect(await world.answerTo(asked)).toEqual({ allow: false, feedback: "Ask again tomorrow." });
});
