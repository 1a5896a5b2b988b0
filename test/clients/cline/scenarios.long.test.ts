import { expect } from "vitest";
import { CLINE } from "../support/cline.ts";
import { clientSuite, type Outcome } from "../support/scenarios.ts";

const ENDS = {
  instead: "ends a turn although a Stop hook wants it to go on, which install says",
  check: ({ requests }: Outcome) => expect(requests).toHaveLength(1),
};

clientSuite(CLINE, {
  context: {
    instead: "sends no event for a prompt, which install says",
    check: ({ lastSent }) => expect(lastSent).not.toContain("The build is red."),
  },
  prompt_block: {
    instead:
      "sends no event for a prompt: it can't be refused, only the calls that follow, which install says",
    check: ({ requests }) => expect(requests.length).toBeGreaterThan(0),
  },
  stop: ENDS,
  stop_ceiling: ENDS,
});
