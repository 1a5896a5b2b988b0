import type { Activity } from "./activity.ts";
import { activityInFiles } from "./in-files.ts";
import { sqliteActivity } from "./sqlite-activity.ts";

/** How long a command takes journals in before it answers; the daemon has usually done so. */
const REFRESH_MILLISECONDS = 1500;

/** What a user reads then. */
export const BEHIND =
  "Older decisions are still being taken in; the next time more of them are there. A running daemon does it by itself.";

/**
 * The history of decisions up to now. Without a database that can be used, only the end of it.
 *
 * @returns with `whole: false` when some journals are still to be taken in.
 */
export async function openActivity(
  environment: NodeJS.ProcessEnv,
): Promise<{ readonly activity: Activity; readonly whole: boolean }> {
  try {
    const activity = await sqliteActivity(environment);
    try {
      return { activity, whole: await activity.refresh(REFRESH_MILLISECONDS) };
    } catch (error) {
      activity.close();
      throw error;
    }
  } catch {
    const activity = await activityInFiles(environment);
    return { activity, whole: await activity.refresh(REFRESH_MILLISECONDS) };
  }
}

/** Reads, and closes what was opened. */
export function closing<Result>(activity: Activity, read: () => Result): Result {
  try {
    return read();
  } finally {
    activity.close();
  }
}
