import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { eventually, processesWith } from "../../support/processes.ts";
import { type Client, type ClientResult, type ClientRun, clientProject, installInto } from "./client.ts";

/** What became of a run, and of the call that the model made in it. */
export interface Outcome extends ClientResult {
  /** The model ran `touch made`: true when the file is there. */
  readonly made: boolean;
  /** The file that rewrites lead to is there. */
  readonly other: boolean;
}

/** What must not happen silently: a sentence that follows the agent's name, and the proof that it holds. */
export interface Declared {
  readonly instead: string;
  /** The user's own configuration, when `install` would refuse otherwise. */
  readonly user?: object;
  readonly check: (outcome: Outcome) => void;
}

export interface Scenario {
  readonly sentence: string;
  readonly hooks: readonly object[];
  readonly files?: Readonly<Record<string, string>>;
  readonly more?: object;
  readonly given?: (client: Client) => Omit<ClientRun, "project" | "cwd">;
  /** Below the project's folder. */
  readonly folder?: string;
  /** Before the agent starts. */
  readonly prepare?: (folder: string) => void;
  readonly holds: (outcome: Outcome) => void;
}

const BEFORE = { events: ["PreToolUse"] };
export const inline = (name: string, rules: string, matcher: object = BEFORE) => ({
  name,
  type: "inline",
  matcher,
  rules,
});
export const command = (name: string, script: string, matcher: object = BEFORE, more: object = {}) => ({
  name,
  type: "command",
  script,
  matcher,
  ...more,
});
const REFUSES = [inline("refuses", 'command contains "made" -> deny("Nothing is made here.")')];
const refused = ({ made, lastSent }: Outcome): void => {
  expect([made, lastSent.includes("Nothing is made here.")]).toEqual([false, true]);
};
/** The model has been told, so that there was a call. */
const closed = ({ made, requests }: Outcome): void =>
  expect([made, requests.length > 1]).toEqual([false, true]);

/** What every agent is tried on. */
export const SCENARIOS = {
  deny: {
    sentence: "does not run a refused call, and the model reads the reason",
    hooks: REFUSES,
    holds: refused,
  },
  rewrite: {
    sentence: "runs a call as it was rewritten",
    hooks: [inline("rewrites", 'command equals "touch made" -> set(args.command, "touch other")')],
    holds: ({ made, other }) => expect([made, other]).toEqual([false, true]),
  },
  two_rewrites: {
    sentence: "runs a call as two hooks rewrote it, one after the other",
    hooks: [
      inline("first", 'command equals "touch made" -> set(args.command, "touch between")'),
      inline("second", 'command equals "touch between" -> set(args.command, "touch other")'),
    ],
    holds: ({ made, other }) => expect([made, other]).toEqual([false, true]),
  },
  context: {
    sentence: "has the model read the context of a prompt",
    hooks: [
      inline("context", 'prompt contains "begin" -> context("The build is red.")', {
        events: ["UserPromptSubmit"],
      }),
    ],
    holds: ({ lastSent }) => expect(lastSent).toContain("The build is red."),
  },
  prompt_block: {
    sentence: "makes no request for a refused prompt",
    hooks: [
      inline("prompt", 'prompt contains "begin" -> deny("Not about that.")', {
        events: ["UserPromptSubmit"],
      }),
    ],
    holds: ({ made, requests }) => expect([made, requests.length]).toEqual([false, 0]),
  },
  stop: {
    sentence: "goes on when a Stop hook says so, and the model reads why",
    files: {
      "once.sh":
        "#!/bin/sh\ntest -e stopped && exit 0\ntouch stopped\necho 'There is more to do.' >&2\nexit 2\n",
    },
    hooks: [command("once", "once.sh", { events: ["Stop"] })],
    given: () => ({ script: ["one", "two"] }),
    holds: ({ requests, lastSent }) =>
      expect([requests.length, lastSent.includes("There is more to do.")]).toEqual([2, true]),
  },
  stop_ceiling: {
    sentence: "ends a turn at our ceiling, whatever a Stop hook says",
    // Another reason each time: the same one ends a turn earlier.
    files: {
      "more.sh": '#!/bin/sh\necho x >> stops\necho "There is more to do: $(wc -l < stops)." >&2\nexit 2\n',
    },
    hooks: [command("more", "more.sh", { events: ["Stop"] })],
    more: { limits: { stop_continuations: 3 } },
    given: () => ({ script: ["one", "two", "three", "four", "five", "six"] }),
    holds: ({ requests }) => expect(requests).toHaveLength(4),
  },
  hang: {
    sentence: "does not run a call whose hook hangs",
    files: { "hang.sh": "#!/bin/sh\nsleep 600 &\nwait\n" },
    hooks: [command("hang", "hang.sh", BEFORE, { timeout: 1 })],
    holds: ({ made, lastSent }) =>
      expect([made, lastSent.includes("No answer within 1 s")]).toEqual([false, true]),
  },
  crash: {
    sentence: "does not run a call whose hook crashes",
    files: { "crash.sh": "#!/bin/sh\nkill -SEGV $$\n" },
    hooks: [command("crash", "crash.sh")],
    holds: closed,
  },
  garbage: {
    sentence: "does not run a call whose hook writes nonsense",
    files: { "garbage.sh": "#!/bin/sh\necho '{\"hookSpecificOutput\": 7}'\n" },
    hooks: [command("garbage", "garbage.sh")],
    holds: closed,
  },
  program_missing: {
    sentence: "runs nothing when our program is gone",
    hooks: REFUSES,
    prepare: (folder) => rmSync(join(folder, "bin/tenterhook")),
    holds: closed,
  },
  program_broken: {
    sentence: "runs nothing when our program is broken",
    hooks: REFUSES,
    prepare: (folder) => {
      rmSync(join(folder, "bin/tenterhook"));
      writeFileSync(join(folder, "bin/tenterhook"), "#!/bin/sh\necho 'SyntaxError' >&2\nexit 1\n", {
        mode: 0o755,
      });
    },
    holds: closed,
  },
  subagent: {
    sentence: "does not run a refused call of a subagent",
    hooks: REFUSES,
    given: (client) => ({
      script: [client.startSubagent?.("Make the SUBTASK file.") ?? "There are no subagents."],
      subagent: { word: "SUBTASK", script: [client.shell("touch made")] },
    }),
    holds: ({ made, requests }) =>
      expect([made, JSON.stringify(requests).includes("Nothing is made here.")]).toEqual([false, true]),
  },
  subdirectory: {
    sentence: "does not run a refused call when it is started in a folder below the project's",
    hooks: REFUSES,
    folder: "below",
    holds: refused,
  },
  ask: {
    sentence: "does not run a call about which nobody can be asked",
    hooks: [inline("asks", 'command contains "made" -> ask("Is that meant?")')],
    holds: closed,
  },
} as const satisfies Record<string, Scenario>;

export type ScenarioName = keyof typeof SCENARIOS;

/** Tries a real agent on all scenarios. Each holds, unless `otherwise` declares what the agent does instead. */
export function clientSuite(
  client: Client,
  otherwise: Readonly<Partial<Record<ScenarioName, Declared>>> = {},
): void {
  describe(client.title, () => {
    for (const [name, scenario] of Object.entries<Scenario>(SCENARIOS)) {
      const declared: Declared | undefined = Reflect.get(otherwise, name);
      const { sentence, check } =
        declared === undefined
          ? { sentence: scenario.sentence, check: scenario.holds }
          : { sentence: `${declared.instead} (declared)`, check: declared.check };
      it(sentence, async () => check(await play(client, scenario, declared?.user ?? {})));
    }
  });
}

export async function play(client: Client, scenario: Scenario, user: object = {}): Promise<Outcome> {
  const { hooks, files = {}, more = {}, folder, prepare, given } = scenario;
  const project = clientProject();
  for (const [name, text] of Object.entries(files)) project.write(name, text);
  project.write("../config/tenterhook/hooks.yaml", JSON.stringify(user));
  await installInto(client.agent, project, hooks, { options: client.installOptions ?? [], more });
  prepare?.(project.folder);
  const cwd = join(project.cwd, folder ?? "");
  mkdirSync(cwd, { recursive: true });
  const result = await client.run({
    project,
    prompt: "begin",
    cwd,
    ...(given?.(client) ?? { script: [client.shell("touch made")] }),
  });
  await eventually(() => expect(processesWith(project.folder)).toEqual([]));
  const isThere = (name: string): boolean => [cwd, project.cwd].some((at) => existsSync(join(at, name)));
  return { ...result, made: isThere("made"), other: isThere("other") };
}
