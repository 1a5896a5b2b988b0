import { expect } from "vitest";
import { CURSOR } from "../support/cursor.ts";
import { clientSuite } from "../support/scenarios.ts";

clientSuite(CURSOR, {
  context: {
    instead: "takes no context for a prompt, as install says",
    check: ({ lastSent }) => expect(lastSent).not.toContain("The build is red."),
  },
  prompt_block: {
    instead: "sends a refused prompt all the same, as install says",
    check: ({ requests }) => expect(requests).toHaveLength(2),
  },
});
