import { resolve } from "node:path";
import type { LanguageModelV3 } from "@ai-sdk/provider";
import { limitModes } from "../../../../agent/conversation/stored-transcript.ts";
import { readModelName } from "../../../../agent/model/model-name.ts";
import { openModel } from "../../../../agent.ts";
import type { Config } from "../../../../config.ts";
import { isTenterhookError, TenterhookError } from "../../../../core/base/errors.ts";
import { isLooser, type PermissionMode } from "../../../../core/contracts/tool.ts";
import type { Transcript } from "../../../../core/contracts/transcript.ts";
import { usageError } from "../../../command-line/usage-error.ts";

/** Used when neither the command line nor the configuration names a model. */
const DEFAULT_MODEL = "anthropic/claude-sonnet-4-5";

export interface ModelSources {
  /** The command line's; paths in it are relative to the folder of the command. */
  readonly given: string | undefined;
  readonly givenIn: string;
  readonly fromSession: string | undefined;
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
}

/**
 * The name of the model: the command line's, else the session's if it is a known name, else `models.default`, else
 * ours. The path of a script becomes absolute, so that the session finds it again.
 */
export function chosenName(
  { settings: { models } }: Pick<Config, "settings">,
  { given, givenIn, fromSession, folder }: Omit<ModelSources, "environment" | "signal">,
): string {
  const known =
    fromSession === undefined || readModelName(fromSession).type === "unknown" ? undefined : fromSession;
  const name = given ?? known ?? models.default ?? DEFAULT_MODEL;
  const named = readModelName(name);
  if (named.type !== "scripted") return name;
  return `scripted:${resolve(given === undefined ? folder : givenIn, named.file)}`;
}

/**
 * Opens the model that {@link chosenName} names.
 *
 * @throws TenterhookError `model_unavailable` that says what to set; `bad_script`.
 */
export async function chosenModel(
  config: Pick<Config, "settings">,
  sources: ModelSources,
): Promise<LanguageModelV3> {
  const { environment, signal } = sources;
  try {
    return await openModel(chosenName(config, sources), { environment, signal });
  } catch (error) {
    if (!isTenterhookError(error) || error.code !== "model_unavailable") throw error;
    throw new TenterhookError("model_unavailable", error.message, {
      hint: "Choose another model with --model, or with models.default in the configuration: provider/model, ollama/<model>, openai-compatible:<url>/<model>. tenterhook run --demo needs no key.",
      cause: error,
    });
  }
}

/** The session to resume, in no looser mode than the configuration or an administrator's one allows now. */
export function boundResume(
  { settings, files }: Pick<Config, "settings" | "files">,
  resume: Transcript | undefined,
): Transcript | undefined {
  const { mode } = settings.permissions;
  const bound = mode ?? (files.some(({ scope }) => scope === "managed") ? "default" : undefined);
  return resume === undefined || bound === undefined ? resume : limitModes(resume, bound);
}

/**
 * The mode: the command line's, else the session's, else the configuration's. With an administrator's configuration,
 * the command line can only be stricter.
 *
 * @throws TenterhookError `usage_error` for a looser one.
 */
export function chosenMode(
  { settings, files }: Pick<Config, "settings" | "files">,
  given: PermissionMode | undefined,
  fromSession?: PermissionMode,
): PermissionMode {
  const configured = settings.permissions.mode ?? "default";
  const managed = files.find(({ scope }) => scope === "managed");
  if (given === undefined) return fromSession ?? configured;
  if (managed !== undefined && isLooser(given, configured))
    throw usageError(
      `--mode ${given} is looser than ${configured}, the mode that this machine's administrator configured.`,
      `Choose a stricter mode, or ask the administrator of ${managed.file}.`,
    );
  return given;
}
