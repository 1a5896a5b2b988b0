import fc from "fast-check";
import { createHooks, type Decision, type RunEvent } from "tenterhook";
import { expect, it, vi } from "vitest";
import { bashCall } from "../support/events.ts";
import { runs } from "../support/long.ts";
import { needs } from "../support/needs.ts";
import { eventually, openDescriptors, processesWith } from "../support/processes.ts";
import { scriptFolder } from "./support/commands.ts";

const { root, write } = scriptFolder();

needs("python3");

/** Goes on for ever, whatever it is told, in a session of its own that holds no pipe. */
write(
  "daemon.py",
  `import os, signal, sys, time
if os.fork(): os._exit(0)
os.setsid()
if os.fork(): os._exit(0)
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP): signal.signal(number, signal.SIG_IGN)
for descriptor in (0, 1, 2): os.close(descriptor)
time.sleep(600)
`,
);

/** What runs into its timeout, each with a time of its own. */
const HANGS = [
  "sleep 600",
  "trap '' TERM; while :; do sleep 0.1; done",
  "sleep 600 & sleep 600 & wait",
  "setsid sleep 600 & sleep 600",
  "setsid sh -c 'trap \"\" TERM HUP INT; sleep 600' >/dev/null 2>&1 & sleep 600",
  "(setsid sh -c 'sleep 600 & sleep 600' &); sleep 600",
  "python3 daemon.py; sleep 600",
  "exec 0<&- 1>&- 2>&-; sleep 600",
  "yes",
  "cat /dev/urandom",
  "cat /dev/urandom >&2",
  "while :; do sleep 0.01 & done",
  "kill -STOP $$",
];

/** What ends by itself with no answer a gate could go by, or with a no. */
const ENDS = [
  "exit 1",
  "exit 2",
  "kill -SEGV $$",
  "kill -KILL $$",
  "sleep 600 & exit 1",
  "sleep 600 & exit 2",
  "setsid sleep 600 & exit 3",
  "setsid sleep 600 >/dev/null 2>&1 & exit 3",
  "(setsid sh -c 'trap \"\" TERM; sleep 600' &); kill -KILL $$",
  "python3 daemon.py; exit 4",
  "head -c 5000000 /dev/zero",
  "head -c 1200000 /dev/zero | tr '\\0' x",
  "printf '\\377\\376{'",
  "printf '{\"ok\":'",
  "printf '{\"ok\":true}\\303'",
  "head -c 300000 /dev/urandom >&2; exit 2",
  "no-such-program-at-all",
  "exec 0<&-; printf '\\200'",
  "sleep 600 & exit 0",
  "setsid sleep 600 & echo checking",
  '(sleep 600; echo \'{"decision":"block"}\') & exit 0',
  "(printf '{\"decision\":'; sleep 600) & exit 0",
  'sleep 600 & echo \'{"decision":"block"}\'',
  "(while :; do printf x; sleep 0.05; done) & exit 0",
  'exec bash -c \'exec > >(sleep 0.3; cat); echo {\\"decision\\":\\"block\\"}\'',
  'exec bash -c \'exec > >(python3 -c "import sys; sys.stdout.write(sys.stdin.read())"); echo {\\"ok\\":false}\'',
];

interface Scenario {
  readonly command: string;
  readonly timeout: number;
  readonly delay: number;
}

const scenario: fc.Arbitrary<Scenario> = fc.record({
  command: fc.constantFrom(...HANGS, ...ENDS),
  timeout: fc.integer({ min: 100, max: 900 }).map((milliseconds) => milliseconds / 1000),
  delay: fc.integer({ min: 0, max: 100 }).map((milliseconds) => milliseconds / 1000),
});

const COUNT = runs(25);
const TOGETHER = 4;

it(`${COUNT} commands that hang, crash, fork and flood leave no process, no descriptor and no open gate`, async () => {
  const mark = `kill-test-${process.pid}-${Math.random()}`;
  vi.stubEnv("KILL_TEST_MARK", mark);
  const seed = Date.now() % 1_000_000_007;
  const scenarios = fc.sample(scenario, { numRuns: COUNT, seed });
  const events: RunEvent[] = [];
  const hooks = createHooks();
  hooks.observe({ onRun: (event) => event.type !== "output" && events.push(event) });
  for (const [number, { command, timeout, delay }] of scenarios.entries()) {
    const hangs = HANGS.includes(command);
    await hooks.add(
      {
        name: `${number}`,
        type: "command",
        command: `sleep ${delay}; ${command}`,
        timeout: hangs ? timeout : 60,
        matcher: { events: ["PreToolUse"], agents: [`agent-${number}`] },
      },
      { root },
    );
  }
  await hooks.fire(bashCall("warm", { agent_type: "agent-0" }));
  events.length = 0;
  const before = openDescriptors();

  const decisions = new Map<number, Decision>();
  const numbers = scenarios.keys();
  const next = async (): Promise<void> => {
    for (const number of numbers) {
      const event = bashCall("x", { session_id: `s${number}`, agent_type: `agent-${number}` });
      decisions.set(number, await hooks.fire(event));
    }
  };
  await Promise.all(Array.from({ length: TOGETHER }, next));
  await hooks.close();

  const wrong = scenarios.flatMap(({ command }, number) => {
    const { action, runs: records = [] } = decisions.get(number) ?? {};
    const kind = records[0]?.failure?.kind;
    const right = HANGS.includes(command) ? kind === "timeout" : kind !== "timeout";
    return action === "deny" && records.length === 1 && right ? [] : [{ seed, command, action, kind }];
  });
  expect(wrong).toEqual([]);
  const ended = events.filter(({ type }) => type === "end").map(({ run_id }) => run_id);
  expect([events.length, new Set(ended).size]).toEqual([2 * COUNT, COUNT]);
  await eventually(() => {
    expect(processesWith(mark)).toEqual([]);
    // What an earlier file of this process has left open may be closed meanwhile.
    expect(openDescriptors()).toBeLessThanOrEqual(before);
  });
}, 900_000);
