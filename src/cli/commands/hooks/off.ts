import { type CommandRun, textOption } from "../../command-line/command.ts";
import { mustBePerson } from "../../command-line/person.ts";
import { neededLength } from "../../command-line/times.ts";
import { usageError } from "../../command-line/usage-error.ts";
import { switchNamed } from "../../configured-hooks/switch-named.ts";

/** `tenterhook off NAME`, for good or `--for` a while; everything only for a while. */
export const run: CommandRun = async (invocation) => {
  const given = textOption(invocation, "for");
  if (given === undefined && invocation.names.length === 0)
    throw usageError(
      "What is to be off?",
      "tenterhook off NAME; or everything for a while: tenterhook off --for 30m.",
    );
  const until = given === undefined ? undefined : new Date(Date.now() + neededLength(given));
  await mustBePerson(invocation);
  return switchNamed({ enabled: false, until }, invocation);
};
