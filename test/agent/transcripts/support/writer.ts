// A process that fires events under a journal: folder, name of this writer, number of events, length of each text.
import { createHooks } from "../../../../src/core/create-hooks.ts";
import { Journal } from "../../../../src/journal/journal.ts";

const [folder = "", writer = "", count = "0", length = "10", fileBytes = "4000000"] = process.argv.slice(2);
const hooks = createHooks();
hooks.on("Notification", { name: "watch" }, () => undefined);
new Journal({ folder, fileBytes: Number(fileBytes), report: (message) => console.error(message) }).follow(
  hooks,
);
const text = "x".repeat(Number(length));
for (let number = 0; number < Number(count); number += 1) {
  await hooks.fire({
    hook_event_name: "Notification",
    session_id: "shared",
    cwd: "/",
    message: `${writer} ${number}`,
    text,
  });
  if (number % 10 === 0) await new Promise((resolve) => setImmediate(resolve));
  if (number === 20) console.log("under way");
}
