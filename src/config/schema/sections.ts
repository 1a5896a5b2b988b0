import { z } from "zod";
import { amount, count, duration, flag, object, oneOf, positive, text, textByName, texts } from "./values.ts";

const ACTIONS = ["escalate", "nudge", "resume", "gate", "answer", "done", "fail", "auto"] as const;
const ATTEMPTS = "a whole number of 0 or more, or forever";

const triggerSettings = object({
  action: oneOf(ACTIONS).describe("What the monitor does."),
  message: text.describe("nudge, resume: what the agent is told.").exactOptional(),
  append: flag.describe("resume: the message is added to the last one.").exactOptional(),
  run: text.describe("gate: the command; exit 0 goes on.").exactOptional(),
  timeout: duration.describe("gate: how long the command has. Default 30.").exactOptional(),
  wait: duration.describe("answer: how long a human has.").exactOptional(),
  default: text.describe("answer: what is answered when nobody does.").exactOptional(),
  attempts: z
    .union([count, z.literal("forever")], { error: ATTEMPTS })
    .describe("How often, until it escalates; a number or forever.")
    .exactOptional(),
  cooldown: duration.describe("The time between two attempts.").exactOptional(),
  error_types: texts.describe("on_error: only these.").exactOptional(),
});

const trigger = z.union([oneOf(ACTIONS), triggerSettings], {
  error: `${ACTIONS.join(", ")}, or an object with one of them as action`,
});

const degraded = oneOf(["deny", "observe", "refuse"]);
const NOTIFY = "{ desktop: true } or { webhook: address, secret_env: NAME }";

/** The top-level keys beside `hooks`. */
export const SECTIONS = {
  models: object({
    default: text.describe("The agent's model: provider/model.").exactOptional(),
    fallback: texts.describe("Models to go on with when it fails.").exactOptional(),
    judge: text.describe("The model of llm and agent hooks.").exactOptional(),
    judge_cache_seconds: amount
      .describe("How long a verdict is kept; 0 is not at all. Default 300.")
      .exactOptional(),
    judge_budget: amount.describe("Verdicts in one session. Default 200.").exactOptional(),
  })
    .describe("Which models are used.")
    .exactOptional(),
  permissions: object({
    mode: oneOf(["default", "plan", "accept-edits", "bypass", "dont-ask"])
      .describe("What is done without a rule.")
      .exactOptional(),
    deny: texts.describe("Calls that are refused: Tool(specifier).").exactOptional(),
    ask: texts.describe("Calls a human is asked about.").exactOptional(),
    allow: texts.describe("Calls that go on without asking.").exactOptional(),
  })
    .describe("What the agent may do without asking.")
    .exactOptional(),
  sandbox: object({
    mode: oneOf(["off", "read-only", "workspace-write"])
      .describe("What commands can change. Default off.")
      .exactOptional(),
  })
    .describe("Where commands run.")
    .exactOptional(),
  memory: object({
    files: texts.describe("Files the agent remembers with. Default AGENTS.md, CLAUDE.md.").exactOptional(),
  })
    .describe("What the agent remembers.")
    .exactOptional(),
  compaction: object({
    threshold_tokens: positive
      .describe(
        "Shorten when the model was sent more tokens than this. Default: three quarters of the context window of the model, 100000 when it is not known.",
      )
      .exactOptional(),
    keep_messages: count
      .describe("How many of the last messages stay as they are. Default 10.")
      .exactOptional(),
    model: text
      .describe("Writes the summary: provider/model. Default: the model of the agent.")
      .exactOptional(),
    instructions: text.describe("What the summary must hold, beside what it always holds.").exactOptional(),
  })
    .describe("When and how the agent shortens a long conversation.")
    .exactOptional(),
  checkpoints: object({
    messages: positive
      .describe(
        "A Checkpoint event within a turn whenever so many messages were kept. Default: none; every turn ends with one.",
      )
      .exactOptional(),
  })
    .describe("When Checkpoint events fire.")
    .exactOptional(),
  mcp_servers: z
    .record(
      z.string(),
      object({
        command: text.describe("The program of a local server.").exactOptional(),
        args: z
          .array(z.string({ error: "a text" }), { error: "a list of texts" })
          .describe("Its arguments.")
          .exactOptional(),
        env: textByName.describe("Its variables.").exactOptional(),
        cwd: text.describe("Where it starts.").exactOptional(),
        url: text.describe("The address of a remote server.").exactOptional(),
        headers: textByName.describe("Headers for a remote server.").exactOptional(),
      }),
      { error: "an object with a server for each name" },
    )
    .describe("MCP servers by name.")
    .exactOptional(),
  monitor: object({
    on_prompt: trigger.describe("An agent asks something.").exactOptional(),
    on_idle: trigger.describe("An agent does nothing.").exactOptional(),
    on_dead: trigger.describe("An agent's process is gone.").exactOptional(),
    on_error: trigger.describe("An agent hit an error.").exactOptional(),
    on_stop: trigger.describe("An agent stopped.").exactOptional(),
    notify: z
      .array(
        z.union(
          [
            object({ desktop: z.literal(true, { error: "true" }) }),
            object({ webhook: text, secret_env: text.exactOptional() }),
          ],
          { error: NOTIFY },
        ),
        { error: `a list of ${NOTIFY}` },
      )
      .describe("Who is told.")
      .exactOptional(),
  })
    .describe("What the monitor does by itself.")
    .exactOptional(),
  degrade: object({
    ask: degraded.describe("Where an agent can't ask.").exactOptional(),
    rewrite: degraded.describe("Where an agent can't rewrite.").exactOptional(),
  })
    .describe("What happens where an agent can't say it: deny, observe or refuse.")
    .exactOptional(),
} as const;

/** The names of the top-level keys beside `hooks`. */
export type SectionName = keyof typeof SECTIONS;
