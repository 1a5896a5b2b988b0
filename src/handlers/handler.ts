import type { DefinitionSite } from "../core/contracts/definition-site.ts";
import type { FailureKind } from "../core/events/effects.ts";
import { HookFailureError } from "../core/events/hook-failure-error.ts";
import type { AnyEvent } from "../core/events/payloads.ts";
import type { Handler } from "../core/ports.ts";
import type { HandlerKeys, HandlerTypeName } from "../core/registration/handler-types.ts";
import type { FailurePolicy } from "../core/registration/hook.ts";
import type { ProgramCall } from "../node/process/start-program.ts";
import type { RulePorts } from "../rules/fields/judged-event.ts";
import type { JudgeAgent, Judges } from "../shared/contracts/judge.ts";

/** What every handler knows of its hook. */
export interface SharedSettings {
  readonly name: string;
  readonly on_failure?: FailurePolicy;
}

export type HandlerSettings<Name extends HandlerTypeName> = HandlerKeys[Name] & SharedSettings;

/** A hook whose program goes on in the background. */
export interface LeftHook {
  /** The program: its process group and its pipes, which are streams of Node. */
  readonly pid: number;
  readonly pipes: readonly unknown[];
  readonly hook: string;
  /** The payload it was asked about. */
  readonly payload: string;
  /** What it wrote before. */
  readonly output: string;
}

/** The program that runs the function of a module for the events on its stdin. */
export type ModuleRunner = (file: string) => Pick<ProgramCall, "file" | "args" | "cwd">;

/** What handlers need from outside. */
export interface HandlerPorts {
  readonly rules: RulePorts;
  /** The variables of this process; each handler filters what it passes on. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The payload that an agent would send for an event of another one: for hooks that were written for it. */
  readonly payloadOf: (agent: string, event: AnyEvent) => Promise<Readonly<Record<string, unknown>>>;
  /** Takes over a program that goes on in the background; without it the event waits for the program. */
  readonly leave?: (hook: LeftHook) => void | Promise<void>;
  /** How the process of a module is started; without it modules run in this process. */
  readonly runner?: ModuleRunner;
  /** Models that give verdicts; without them llm hooks fail as `missing`. */
  readonly judges?: Judges;
  /** An agent that gives verdicts; without it agent hooks fail as `missing`. */
  readonly judgeAgent?: JudgeAgent;
}

/** What a handler is made with, apart from its settings. */
export interface HandlerContext {
  readonly events: readonly string[];
  readonly site: DefinitionSite;
  readonly ports: HandlerPorts;
}

/** @throws HookFailureError `untrusted` when what the hook runs is not what was trusted. */
export function checkTrust({ refusal }: DefinitionSite): void {
  const refused = refusal?.();
  if (refused !== undefined) throw new HookFailureError("untrusted", refused);
}

/** A handler that always fails, because something it needs is not there. */
export function failingHandler(type: string, kind: FailureKind, problem: string): Handler {
  return {
    type,
    problem,
    run: () => {
      throw new HookFailureError(kind, problem);
    },
  };
}
