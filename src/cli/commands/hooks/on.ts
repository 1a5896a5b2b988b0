import { loadConfig } from "../../../config.ts";
import type { CommandRun } from "../../command-line/command.ts";
import { switchNamed } from "../../configured-hooks/switch-named.ts";
import { promote, shadowsNamed } from "./on/promote.ts";

/** `tenterhook on NAME`: what is off is switched on; what is a shadow is put in force after a look at what it would have done. */
export const run: CommandRun = async (invocation) => {
  const [name] = invocation.names;
  if (name === undefined) return switchNamed({ enabled: true }, invocation);
  const { definitions } = await loadConfig(invocation);
  const shadows = shadowsNamed(name, definitions);
  if (!shadows.some(({ enabled }) => enabled)) return switchNamed({ enabled: true }, invocation);
  return promote(name, shadows, invocation);
};
