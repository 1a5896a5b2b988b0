import type { CommandRun } from "../../command-line/command.ts";
import { mustBePerson } from "../../command-line/person.ts";
import { switchNamed } from "../../configured-hooks/switch-named.ts";

export const run: CommandRun = async (invocation) => {
  await mustBePerson(invocation);
  await switchNamed(false, invocation);
};
