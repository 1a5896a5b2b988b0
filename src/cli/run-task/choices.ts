import type { LanguageModelV3 } from "@ai-sdk/provider";
import { openModel } from "../../agent.ts";
import type { Config } from "../../config.ts";
import { isTenterhookError, TenterhookError } from "../../core/errors.ts";
import { isLooser } from "../../core/permission-modes.ts";
import type { PermissionMode } from "../../core/tool.ts";

/** The model of a run when neither the command line nor a configuration names one. */
const DEFAULT_MODEL = "anthropic/claude-sonnet-4-5";

/** Where names of models come from. */
export interface ModelSources {
  /** What the command line says; files in it start from the folder the command was given in. */
  readonly given: string | undefined;
  readonly givenIn: string;
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
}

/**
 * Opens the model of a run: the one that was given, else `models.default`, else ours.
 *
 * @throws TenterhookError `model_unavailable` that says what to set; `bad_script`.
 */
export async function chosenModel(
  { settings: { models } }: Pick<Config, "settings">,
  { given, givenIn, folder, environment, signal }: ModelSources,
): Promise<LanguageModelV3> {
  const name = given ?? models.default ?? DEFAULT_MODEL;
  const root = given === undefined ? folder : givenIn;
  try {
    return await openModel(name, { environment, root, signal });
  } catch (error) {
    if (!isTenterhookError(error) || error.code !== "model_unavailable") throw error;
    throw new TenterhookError("model_unavailable", error.message, {
      hint: "Or choose another with --model, or with models.default in the configuration: provider/model, ollama/<model>, openai-compatible:<url>/<model>. tenterhook demo needs no key.",
      cause: error,
    });
  }
}

/**
 * The mode of a run: the one that was given, else the configuration's. Where an administrator has a configuration, the
 * command line can only be stricter.
 *
 * @throws TenterhookError `usage_error` for a looser one.
 */
export function chosenMode(
  { settings, files }: Pick<Config, "settings" | "files">,
  given: PermissionMode | undefined,
): PermissionMode {
  const configured = settings.permissions.mode ?? "default";
  if (given === undefined) return configured;
  const managed = files.find(({ scope }) => scope === "managed");
  if (managed !== undefined && isLooser(given, configured))
    throw new TenterhookError(
      "usage_error",
      `--mode ${given} is looser than ${configured}, which the configuration of this machine has.`,
      { hint: `Choose a stricter mode, or ask whoever administers ${managed.file}.` },
    );
  return given;
}
