import type { HooksView } from "../../monitor/dashboard/wire.ts";
import { query } from "./ask.ts";
import { type Asked, useAgainWhile, useAsked } from "./use-asked.ts";

/** The hooks of a project, or of the first one, which is there once an agent has worked in it. */
export function useHooks(project: string | undefined, changes: unknown = 0): Asked<HooksView> {
  const asked = useAsked<HooksView>(`hooks${query({ project })}`, changes);
  useAgainWhile(asked.reply?.projects.length === 0, asked.again);
  return asked;
}
