// A server in a process of its own, so that its time is not ours: answers every request with a reply of a hook.
import { createServer } from "node:http";

const REPLY = JSON.stringify({
  hookSpecificOutput: { hookEventName: "PreToolUse", additionalContext: "seen" },
});

const server = createServer((request, response) => {
  request.resume();
  request.on("end", () => {
    response.setHeader("content-type", "application/json");
    response.end(REPLY);
  });
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object") process.send?.(`http://127.0.0.1:${address?.port}/`);
});
process.on("disconnect", () => process.exit());
