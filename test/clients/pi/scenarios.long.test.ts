import { expect } from "vitest";
import { PI } from "../support/pi.ts";
import { clientSuite } from "../support/scenarios.ts";
import { switchSuite } from "../support/switches.ts";

clientSuite(PI, {
  subagent: {
    instead: "offers the model no tool that starts a subagent",
    check: ({ requests: [first] }) =>
      expect(JSON.stringify(first)).not.toMatch(/"name":"[^"]*(?:agent|task)/i),
  },
});

switchSuite(PI, [
  { file: "~/.pi/agent/settings.json", json: { extensions: ["-extensions/tenterhook.js"] } },
  { file: "~/.pi/agent/settings.json", json: { extensions: ["!tenter*"] } },
]);
