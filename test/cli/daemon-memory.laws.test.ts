import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { daemonPlace } from "../../src/monitor/report/daemon-place.ts";
import { runs } from "../support/soak.ts";
import { shellCall } from "./support/project.ts";
import { sendCall } from "./support/send-call.ts";
import { daemonPid, servedProject } from "./support/served-project.ts";

const CALLS = runs(3_000, 100_000);
const FIRST = 1_000;
/** Few calls show more of what the collector has not looked at yet. */
const MOST_GROWTH = runs(10, 100) === 100 ? 1.3 : 2;

it("the memory of the daemon does not grow with the calls it has decided", {
  timeout: 60_000 + CALLS * 50,
}, async () => {
  const project = await servedProject([
    {
      name: "no-push",
      type: "inline",
      matcher: { events: ["PreToolUse"] },
      rules: 'command contains "git push" -> deny("No.")',
    },
  ]);
  const { cwd, environment } = project;
  const { hookSocket = "" } = daemonPlace(environment);
  const kilobytes = (): number =>
    Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${daemonPid(project)}/status`, "utf8"))?.[1]);
  let first = 0;
  for (let at = 1; at <= CALLS; at += 1) {
    const payload = { session_id: `s${at % 10}`, cwd, ...shellCall(`git push ${at}`), tool_use_id: `t${at}` };
    const { status } = await sendCall(hookSocket, { cwd, environment, text: JSON.stringify(payload) });
    expect(status).toBe(200);
    if (at === FIRST) first = kilobytes();
  }
  expect(kilobytes() / first).toBeLessThan(MOST_GROWTH);
});
