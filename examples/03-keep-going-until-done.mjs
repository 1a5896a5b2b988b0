// Keep the agent going until a condition holds. A hook that never gives in meets a ceiling.
import { createHooks, keepGoing } from "tenterhook";

const hooks = createHooks({ limits: { stop_continuations: 3 } });
let failing = 2;
hooks.on("Stop", { name: "tests" }, () => (failing > 0 ? keepGoing(`${failing} tests fail`) : undefined));

async function work() {
  for (let round = 1; ; round += 1) {
    const decision = await hooks.fire({
      hook_event_name: "Stop",
      session_id: "example",
      cwd: process.cwd(),
      stop_hook_active: round > 1,
    });
    for (const message of decision.user_messages) console.log(`  ${message.text}`);
    if (!decision.keep_going) return console.log(`stopped after round ${round}`);
    console.log(`round ${round}: ${decision.keep_going.reason}`);
    failing -= 1;
  }
}

await work();
failing = Number.POSITIVE_INFINITY;
await work();
