import { expect } from "vitest";
import { AUGGIE } from "../support/auggie.ts";
import { clientSuite, type Outcome } from "../support/scenarios.ts";

const ENDS = {
  instead: "ends a turn although a Stop hook wants it to go on, which install says",
  check: ({ requests }: Outcome) => expect(requests).toHaveLength(1),
};

clientSuite(AUGGIE, {
  context: {
    instead: "takes no context for a prompt, as install says",
    check: ({ lastSent }) => expect(lastSent).not.toContain("The build is red."),
  },
  prompt_block: {
    instead: "sends a refused prompt all the same, as install says",
    check: ({ requests }) => expect(requests).toHaveLength(2),
  },
  stop: ENDS,
  stop_ceiling: ENDS,
});
