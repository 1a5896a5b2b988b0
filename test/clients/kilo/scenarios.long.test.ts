import { expect } from "vitest";
import { KILO } from "../support/kilo.ts";
import { clientSuite, type Outcome } from "../support/scenarios.ts";
import { switchSuite } from "../support/switches.ts";

const ENDS = {
  instead: "ends a turn although a Stop hook wants it to go on, which install says",
  check: ({ requests }: Outcome) => expect(requests).toHaveLength(1),
};

clientSuite(KILO, {
  stop: ENDS,
  stop_ceiling: ENDS,
});

switchSuite(KILO, [{ variable: "KILO_PURE" }]);
