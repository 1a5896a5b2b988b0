import type { Driver, Script, Step } from "./driver.ts";
import type { ProofRun } from "./run-agent.ts";

/** How an agent is started for a scenario that can't share a run with others. */
export interface Start {
  /** The folder that it starts in, below the project's. Default: the project's. */
  readonly folder?: string;
  /** A script in the place of our program; `false` when it is gone. */
  readonly program?: string | false;
  /** How many seconds the agent waits for us. Default: as in its settings. */
  readonly seconds?: number;
}

/** One thing that an agent is tried on. */
export interface Scenario {
  readonly name: string;
  /** Our event at which it is decided, and what it has in it. */
  readonly event: "PreToolUse" | "UserPromptSubmit" | "Stop";
  readonly word: string;
  readonly rules: string;
  /** What the model does; `undefined` when the agent can't. */
  step?(driver: Driver): Step | undefined;
  /** The tool without which there is nothing to try: not every version of the agent offers it. */
  needsTool?(driver: Driver): string | undefined;
  /** What a subagent does. */
  readonly below?: (driver: Driver) => Step;
  /** True when the agent did what the rule says. */
  obeyed(run: ProofRun): boolean;
  /** True when nothing happened that the rule wanted stopped. Default: always. */
  closed?(run: ProofRun): boolean;
  /** True when the rule wants that a call does not run. */
  readonly refuses?: true;
  /** How the agent is started, for a scenario with a run of its own. */
  readonly start?: Start;
  /** What is wrong with our program, which decides nothing then: a sentence that follows "when". */
  readonly broken?: string;
}

const PROMPT = "canary-begin";
const REFUSED_PROMPT = "canary-refused";
const SUBAGENT = "canary-below";

const refusal = (name: string) => `${name} is refused: a rule of a proof.`;
const tool = (name: string) => ({
  name,
  event: "PreToolUse" as const,
  word: `canary-${name}`,
  step: (driver: Driver) => driver.shell(`touch canary-${name}`),
  closed: (run: ProofRun) => !run.made(`canary-${name}`),
});

const denied = (name: string) => ({
  ...tool(name),
  refuses: true as const,
  rules: `command contains "canary-${name}" -> deny("${refusal(`canary-${name}`)}")`,
  obeyed: ({ made, sent }: ProofRun) => !made(`canary-${name}`) && sent.includes(refusal(`canary-${name}`)),
});

/** What is tried in one run, in the order of the steps. `deny` is the first: without it nothing else counts. */
const TOGETHER: readonly Scenario[] = [
  denied("deny"),
  {
    ...tool("ask"),
    refuses: true,
    rules: 'command contains "canary-ask" -> ask("Is canary-ask meant?")',
    // Nobody is there to be asked.
    obeyed: ({ made, requests }) => !made("canary-ask") && requests > 1,
  },
  {
    ...tool("rewrite"),
    rules: 'command equals "touch canary-rewrite" -> set(args.command, "touch canary-other")',
    obeyed: ({ made }) => !made("canary-rewrite") && made("canary-other"),
  },
  {
    name: "context",
    event: "UserPromptSubmit",
    word: PROMPT,
    rules: `prompt contains "${PROMPT}" -> context("canary-context, by a rule of a proof")`,
    obeyed: ({ sent }) => sent.includes("canary-context, by a rule"),
  },
  {
    ...denied("subagent"),
    step: (driver) => driver.startSubagent?.(`Make the file of ${SUBAGENT}.`),
    below: (driver) => driver.shell("touch canary-subagent"),
  },
  {
    ...denied("script"),
    step: (driver) => driver.script?.step("touch canary-script"),
    needsTool: (driver) => driver.script?.tool,
  },
  {
    name: "stop",
    event: "Stop",
    word: "Stop",
    // Not every agent tells what the model said last. The same reason twice ends the turn.
    rules: 'hook_event_name equals "Stop" -> keep_going("canary-more, by a rule of a proof")',
    step: () => "canary-stop",
    obeyed: ({ sent, endless }) => sent.includes("canary-more, by a rule") && !endless,
  },
];

/** With our program out of order the call must not run: nobody has looked at it. */
const withBroken = (name: string, broken: string, start: Start): Scenario => ({
  ...denied(name),
  start,
  broken,
  obeyed: ({ made }) => !made(`canary-${name}`),
});

/** The prompt of this one ends the run. */
const PROMPT_REFUSED: Scenario = {
  name: "prompt",
  event: "UserPromptSubmit",
  word: REFUSED_PROMPT,
  rules: `prompt contains "${REFUSED_PROMPT}" -> deny("${refusal("the prompt")}")`,
  obeyed: ({ requests }) => requests === 0,
  start: {},
};

const ANSWER_SECONDS = 2;
/**
 * Much longer than the agent waits, but not forever: some end only the shell of a hook, and wait for whatever that has
 * started. It dies then, since an end without output could be taken for an answer.
 */
const HANGING = "#!/bin/sh\nsleep 8\nkill -KILL $$\n";

export const SCENARIOS: readonly Scenario[] = [
  ...TOGETHER,
  PROMPT_REFUSED,
  { ...denied("below"), start: { folder: "below/the/root" } },
  withBroken("missing", "Tenterhook is missing", { program: false }),
  withBroken("garbage", "Tenterhook's reply is damaged", { program: "#!/bin/sh\necho nonsense\n" }),
  withBroken("hanging", "Tenterhook gives no answer", {
    program: HANGING,
    seconds: ANSWER_SECONDS,
  }),
];

/** The scenarios that share a run of the agent, run by run. */
export const RUNS: readonly (readonly Scenario[])[] = [
  TOGETHER,
  ...SCENARIOS.flatMap((one) => (one.start === undefined ? [] : [[one]])),
];

/** What an agent is told and its model says, for these scenarios in one run. */
export function scriptFor(
  driver: Driver,
  scenarios: readonly Scenario[],
): Script & { readonly prompt: string } {
  const below = scenarios.flatMap((one) => (one.below === undefined ? [] : [one.below(driver)]));
  return {
    prompt: scenarios.includes(PROMPT_REFUSED) ? REFUSED_PROMPT : PROMPT,
    steps: scenarios.flatMap((one) => {
      const step = one.step?.(driver);
      return step === undefined ? [] : [step];
    }),
    ...(below.length === 0 ? {} : { subagent: { word: SUBAGENT, steps: below } }),
  };
}

export function canaryConfig(scenarios: readonly Scenario[]): string {
  const definitions = scenarios.map(({ name, event, rules }) => ({
    name: hookOf(name),
    type: "inline",
    matcher: { events: [event] },
    rules,
  }));
  return JSON.stringify({ hooks: { definitions } });
}

export function hookOf(scenario: string): string {
  return `canary-${scenario}`;
}
