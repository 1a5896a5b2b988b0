import { resolve } from "node:path";
import type { LanguageModelV3 } from "@ai-sdk/provider";
import { limitModes } from "../../../../agent/resume/stored-transcript.ts";
import { type AgentOptions, openModel } from "../../../../agent.ts";
import type { Config, Settings } from "../../../../config.ts";
import { isTenterhookError, TenterhookError } from "../../../../core/base/errors.ts";
import { isLooser, type PermissionMode } from "../../../../core/contracts/tool.ts";
import type { Transcript } from "../../../../core/contracts/transcript.ts";
import { contextWindow } from "../../../../models/context-window.ts";
import { readModelName } from "../../../../models/model-name.ts";

/** The model of a run when neither the command line nor a configuration names one. */
const DEFAULT_MODEL = "anthropic/claude-sonnet-4-5";

/** Where names of models come from. */
export interface ModelSources {
  /** What the command line says; files in it start from the folder the command was given in. */
  readonly given: string | undefined;
  readonly givenIn: string;
  /** What a session that goes on had. */
  readonly kept: string | undefined;
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
}

/**
 * The name of a run's model: the one that was given, else the one the session had, if that can be found by its name, else
 * `models.default`, else ours. A script is named by its whole path, so that the session finds it from wherever.
 */
export function chosenName(
  { settings: { models } }: Pick<Config, "settings">,
  { given, givenIn, kept, folder }: Omit<ModelSources, "environment" | "signal">,
): string {
  const known = kept === undefined || readModelName(kept).type === "unknown" ? undefined : kept;
  const name = given ?? known ?? models.default ?? DEFAULT_MODEL;
  const named = readModelName(name);
  if (named.type !== "scripted") return name;
  return `scripted:${resolve(given === undefined ? folder : givenIn, named.file)}`;
}

/**
 * Opens the model of a run, by the name {@link chosenName} gives.
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
      hint: "Another model is chosen with --model, or with models.default in the configuration: provider/model, ollama/<model>, openai-compatible:<url>/<model>. tenterhook demo needs no key.",
      cause: error,
    });
  }
}

/**
 * A session to go on with, in no looser mode than the configuration names now, or an administrator's leaves: who wants
 * that says so.
 */
export function boundResume(
  { settings, files }: Pick<Config, "settings" | "files">,
  resume: Transcript | undefined,
): Transcript | undefined {
  const { mode } = settings.permissions;
  const bound = mode ?? (files.some(({ scope }) => scope === "managed") ? "default" : undefined);
  return resume === undefined || bound === undefined ? resume : limitModes(resume, bound);
}

/**
 * The mode of a run: the one that was given, else the one the session had, else the configuration's. Where an
 * administrator has a configuration, the command line can only be stricter.
 *
 * @throws TenterhookError `usage_error` for a looser one.
 */
export function chosenMode(
  { settings, files }: Pick<Config, "settings" | "files">,
  given: PermissionMode | undefined,
  kept?: PermissionMode,
): PermissionMode {
  const configured = settings.permissions.mode ?? "default";
  const managed = files.find(({ scope }) => scope === "managed");
  if (given === undefined) return kept ?? configured;
  if (managed !== undefined && isLooser(given, configured))
    throw new TenterhookError(
      "usage_error",
      `--mode ${given} is looser than ${configured}, which the configuration of this machine has.`,
      { hint: `Choose a stricter mode, or ask whoever administers ${managed.file}.` },
    );
  return given;
}

/** When a conversation is shortened of whose model nobody knows how much it takes. */
const DEFAULT_THRESHOLD = 100_000;

/** What is left of a window is for the answer, and for results that come in one piece. */
const SHARE_OF_WINDOW = 0.75;

/**
 * When and how the agent of a run shortens its conversation: as the configuration says, else before it fills three quarters
 * of the context window of its model, or of a model it may fall back to when that takes less.
 */
export function chosenCompaction(
  { compaction, models }: Pick<Settings, "compaction" | "models">,
  model: string,
): NonNullable<AgentOptions["compaction"]> {
  const windows = [model, ...(models.fallback ?? [])].flatMap((name) => contextWindow(name) ?? []);
  const threshold_tokens =
    windows.length === 0 ? DEFAULT_THRESHOLD : Math.floor(Math.min(...windows) * SHARE_OF_WINDOW);
  return { threshold_tokens, ...compaction };
}
