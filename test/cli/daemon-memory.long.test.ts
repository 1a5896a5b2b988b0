import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { daemonPlace } from "../../src/monitor/report/daemon-place.ts";
import { rulesHook } from "../support/hook-definitions.ts";
import { runs } from "../support/long.ts";
import { shellCall } from "./support/project.ts";
import { sendCall } from "./support/send-call.ts";
import { daemonPid, servedProject } from "./support/served-project.ts";

const CALLS = runs(3_000);
const FIRST = 1_000;
const SAMPLED = 500;
/** Few calls show more of what the collector has not looked at yet. */
const MOST_GROWTH = runs(10) === 100 ? 1.3 : 2;

it("the memory of the daemon does not grow with the calls it has decided", {
  timeout: 60_000 + CALLS * 50,
}, async () => {
  const project = await servedProject([rulesHook("no-push", 'command contains "git push" -> deny("No.")')]);
  const { cwd, environment } = project;
  const { hookSocket = "" } = daemonPlace(environment);
  const kilobytes = (): number =>
    Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${daemonPid(project)}/status`, "utf8"))?.[1]);
  let made = 0;
  const call = async (): Promise<void> => {
    made += 1;
    const payload = {
      session_id: `s${made % 10}`,
      cwd,
      ...shellCall(`git push ${made}`),
      tool_use_id: `t${made}`,
    };
    const { status } = await sendCall(hookSocket, { cwd, environment, text: JSON.stringify(payload) });
    expect(status).toBe(200);
  };
  const callUntil = async (calls: number): Promise<void> => {
    while (made < calls) await call();
  };
  /** Between two calls the collector lets it swing by a third: the median of some hundred calls. */
  const memory = async (): Promise<number> => {
    const seen: number[] = [];
    for (const end = made + SAMPLED; made < end; seen.push(kilobytes())) await call();
    return seen.sort((one, other) => one - other)[SAMPLED / 2] ?? 0;
  };
  await callUntil(FIRST);
  const first = await memory();
  await callUntil(CALLS - SAMPLED);
  expect((await memory()) / first).toBeLessThan(MOST_GROWTH);
});
