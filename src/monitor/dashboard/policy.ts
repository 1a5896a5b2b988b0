import type { ReplayView } from "../../shared/replay.ts";
import type { HookEdit, HookSource, HooksView } from "./wire.ts";

/** What the dashboard asks about the hooks of a project. The command line implements it. */
export interface Policy {
  /** The hooks of a project, with what they did in the last week. */
  hooks(project: string): Promise<Omit<HooksView, "projects">>;
  /**
   * The text that defines a hook; without a name, an example in the file that new ones are added to.
   *
   * @throws TenterhookError `unknown_hook`.
   */
  source(project: string, name: string | undefined): Promise<HookSource>;
  /**
   * Compares a change with the file as it is, on recorded calls.
   *
   * @throws ConfigError with what is wrong with the change.
   */
  tryEdit(edit: HookEdit, signal: AbortSignal): Promise<ReplayView>;
  /**
   * Writes a change and trusts the hook that it defines.
   *
   * @throws ConfigError with what is wrong; TenterhookError `write_failed`, also when the file has changed meanwhile.
   */
  save(edit: HookEdit): Promise<HookSource>;
  /** @throws TenterhookError `managed_hook`, `write_failed`. */
  setEnabled(project: string, name: string, enabled: boolean): Promise<void>;
  /** What the hooks of a project would have done about the calls of the last days. */
  replay(project: string, days: number, signal: AbortSignal): Promise<ReplayView>;
}
