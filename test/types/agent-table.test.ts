import { expectTypeOf, test } from "vitest";
import type { auggieTable } from "../../src/adapters/auggie/auggie.ts";
import type { agentTable } from "../../src/adapters/codec/agent-table.ts";
import type { qwenTable } from "../../src/adapters/qwen/qwen.ts";

type Table = Parameters<typeof agentTable<"exit_2">>[0];

// These are checked by `tsc`, as part of `npm run check`.
test("the events of an agent's table can name its own reply forms only", () => {
  expectTypeOf<Table["unknown"]["deny"]>().toEqualTypeOf<"exit_2" | undefined>();
  expectTypeOf<Table["events"][string]["says"]["deny"]>().toEqualTypeOf<"exit_2" | undefined>();
});

test("rows that a table shares do not let it name any form", () => {
  expectTypeOf<keyof typeof auggieTable.forms>().toEqualTypeOf<
    "exit_2" | "updated_input" | "additional_context"
  >();
  expectTypeOf<string>().not.toExtend<keyof typeof qwenTable.forms>();
});
