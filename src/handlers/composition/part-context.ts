import type { AgentView, HookContext, RunFacts } from "../../core/ports.ts";

type Usage = NonNullable<RunFacts["usage"]>;

/** The context of a composed hook as its parts get it: what they tell of the run is added up. */
export class PartContext implements HookContext {
  private readonly whole: HookContext;
  private usage: Usage | undefined;

  constructor(whole: HookContext) {
    this.whole = whole;
    this.usage = undefined;
  }

  get signal(): AbortSignal {
    return this.whole.signal;
  }

  get values(): Map<string, unknown> {
    return this.whole.values;
  }

  get agent(): AgentView | undefined {
    return this.whole.agent;
  }

  get tool(): unknown {
    return this.whole.tool;
  }

  get recheck(): true | undefined {
    return this.whole.recheck;
  }

  get output(): HookContext["output"] {
    return this.whole.output;
  }

  get record(): HookContext["record"] {
    return (facts) => {
      if (facts.usage !== undefined) this.usage = sum(this.usage, facts.usage);
      this.whole.record(this.usage === undefined ? facts : { ...facts, usage: this.usage });
    };
  }
}

function sum(a: Usage | undefined, b: Usage): Usage {
  return {
    input_tokens: (a?.input_tokens ?? 0) + b.input_tokens,
    output_tokens: (a?.output_tokens ?? 0) + b.output_tokens,
  };
}
