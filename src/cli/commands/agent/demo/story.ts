import type { ScriptStep } from "../../../../agent/model/script-step.ts";

/** A part of the demo: what it shows, and what the scripted agent does. */
export interface Chapter {
  readonly title: string;
  readonly explains: string;
  /** One per call of the model. */
  readonly steps: readonly ScriptStep[];
  /** It is shown by a separate process after all others: one that is killed, or one that resumes it. */
  readonly process?: "killed" | "resumed";
}

export const TASK = "Write sum.mjs so that its test passes.";

/** The agent's last text when every hook did what the story tells. */
export const LAST_WORDS = "Now the test passes.";

/** The task of the killed process, and the last text of the one that resumes it. */
export const RELEASE = { task: "Publish version 1.0.0.", last_words: "1.0.0 is published, exactly once." };

/** Its script; it is killed in the first step. */
export const RELEASE_STEPS: readonly ScriptStep[] = [
  {
    text: "I publish it.",
    tool_calls: [{ name: "Bash", input: { command: "node publish.mjs 1.0.0" } }],
  },
  {
    text: "Did it go through? I look before I try again.",
    tool_calls: [{ name: "Read", input: { file_path: "published.log" } }],
  },
  { text: RELEASE.last_words },
];

const WRONG = "export const sum = (a, b) => a - b;\n";

export const CHAPTERS: readonly Chapter[] = [
  {
    title: "A deny",
    explains: "The pack safe-shell knows what a command line deletes, however it is written.",
    steps: [
      {
        text: "I make some room.",
        tool_calls: [{ name: "Bash", input: { command: "rm -rf ~" } }],
      },
    ],
  },
  {
    title: "A rewrite, and context for the model",
    explains:
      "license-header changes the call before it runs; remind-of-tests, a shell script, adds a sentence after it.",
    steps: [
      {
        text: "Then I write the module.",
        tool_calls: [{ name: "Write", input: { file_path: "sum.mjs", content: WRONG } }],
      },
    ],
  },
  {
    title: "A rewrite is checked again",
    explains:
      "protect-production has nothing against staging. Then another hook makes it production, and every gate is asked once more about that.",
    steps: [
      {
        text: "I try it on staging.",
        tool_calls: [{ name: "Bash", input: { command: "./deploy.sh staging" } }],
      },
    ],
  },
  {
    title: "A hook answers in place of a human",
    explains: "The agent has a question, nobody is there, and answer-for-the-team knows.",
    steps: [
      {
        tool_calls: [
          {
            name: "AskUserQuestion",
            input: {
              questions: [
                {
                  question: "What may be summed?",
                  options: [{ label: "Numbers only" }, { label: "Strings too" }],
                },
              ],
            },
          },
        ],
      },
    ],
  },
  {
    title: "A hook hears of an error",
    explains: "Error is an event like any other: log-errors gets it as JSON.",
    steps: [{ tool_calls: [{ name: "Read", input: { file_path: "NOTES.md" } }] }],
  },
  {
    title: "A subagent works under the same hooks",
    explains:
      "The reviewer is a file in .tenterhook/agents. It brings a prompt and fewer tools; hooks and permissions are its parent's.",
    steps: [
      {
        text: "A second pair of eyes can't hurt.",
        tool_calls: [
          {
            name: "Task",
            input: { agent_type: "reviewer", task: "Review sum.mjs.", description: "review sum.mjs" },
          },
        ],
      },
      { tool_calls: [{ name: "Read", input: { file_path: "sum.mjs" } }] },
      { tool_calls: [{ name: "Bash", input: { command: "cd / && rm -rf home" } }] },
      { text: "It looks fine to me. Tidying up was refused, so I left everything as it was." },
    ],
  },
  {
    title: "A Stop hook keeps the agent going until the test passes",
    explains: "until-tests-pass runs the real test whenever the agent thinks it is done.",
    steps: [
      { text: "All done: sum.mjs is written." },
      {
        text: "True, it subtracts.",
        tool_calls: [
          { name: "Edit", input: { file_path: "sum.mjs", old_string: "a - b", new_string: "a + b" } },
        ],
      },
      { tool_calls: [{ name: "Bash", input: { command: "node sum.test.mjs" } }] },
      { text: LAST_WORDS },
    ],
  },
  {
    title: "A program looks at the workspace when a turn starts",
    explains: "It is named in .agent/hook.toml. What it writes to stderr joins the task.",
    steps: [],
    process: "killed",
  },
  {
    title: "A process is killed in the middle of a call",
    explains:
      "This agent is a process of its own. SIGKILL ends it while it publishes; it has no chance to clean up.",
    steps: [],
    process: "killed",
  },
  {
    title: "Another process continues",
    explains:
      "Every message was on the disk before the next step. The model hears that the outcome of its call is unknown, and nothing is published twice.",
    steps: [],
    process: "resumed",
  },
];
