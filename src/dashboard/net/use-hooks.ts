import { useEffect } from "preact/hooks";
import type { HooksView } from "../../monitor/dashboard/wire.ts";
import { query } from "./ask.ts";
import { type Asked, useAsked } from "./use-asked.ts";

const LOOK_MILLISECONDS = 2000;

/** The hooks of a project, or of the first one. Until an agent has worked in any, the server is asked every few seconds. */
export function useHooks(project: string | undefined, changes: unknown = 0): Asked<HooksView> {
  const asked = useAsked<HooksView>(`hooks${query({ project })}`, changes);
  const isEmpty = asked.reply?.projects.length === 0;
  const { again } = asked;
  useEffect(() => {
    if (!isEmpty) return undefined;
    const timer = setInterval(again, LOOK_MILLISECONDS);
    return () => clearInterval(timer);
  }, [isEmpty]);
  return asked;
}
