import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { integrationOf } from "../../../adapters/integrations.ts";
import type { MenuItem } from "../../../terminal/menu/menu.tsx";
import { type CommandRun, flagOption, type Invocation, type Outcome } from "../../command-line/command.ts";
import { progress } from "../../command-line/screen/progress.ts";
import { type Block, steps } from "../../command-line/screen/report.ts";
import { counted, shortPath } from "../../command-line/screen/text.ts";
import { usageError } from "../../command-line/usage-error.ts";
import { starterText } from "../../configured-hooks/starter.ts";
import { projectPlaces } from "../../integrations/chosen-settings.ts";
import { hooksToBring } from "./bring-along.ts";
import { type Facts, gatherFacts } from "./facts.ts";
import { setUp } from "./set-up.ts";
import { headLine, stateLines, unguardedBlock } from "./start-lines.ts";

/** `tenterhook` alone: what is in force here, what waits and what to do next. */
export const run: CommandRun = async (invocation) => {
  const { screen, json, cwd } = invocation;
  const lonely = (["project", "import"] as const).find((name) => flagOption(invocation, name));
  if (lonely !== undefined && !flagOption(invocation, "yes"))
    throw usageError(`--${lonely} needs --yes.`, `tenterhook --yes --${lonely} sets everything up.`);
  const done = json ? () => {} : progress(screen, "Looking at the project and for agents…");
  const facts = await gatherFacts(invocation).finally(done);
  if (flagOption(invocation, "yes"))
    return setUp(
      { isUser: !flagOption(invocation, "project"), imports: flagOption(invocation, "import") },
      facts,
      invocation,
    );
  const { configuration, gone, hooks } = facts.guard;
  const isGuarded =
    hooks.some(({ state }) => state !== "untrusted") ||
    facts.turn_hooks !== undefined ||
    configuration === "broken" ||
    configuration === "last_good" ||
    gone.length > 0;
  const head = ["", headLine(shortPath(cwd, cwd)), ""];
  if (isGuarded) return { json: facts, blocks: [head, stateLines(facts, cwd, Date.now()), ""] };
  const found = [head, unguardedBlock(facts), ""];
  if (json || !screen.interactive) return { json: facts, blocks: [found, nextSteps(facts), ""] };
  screen.print(found);
  return offer(facts, invocation);
};

function nextSteps({ agents, guard }: Facts): Block {
  if (guard.hooks.length > 0)
    return steps([["tenterhook trust", "see what its hooks would run, and trust them"]]);
  const demo = ["tenterhook run --demo", "see it work, without a key"] as const;
  return steps(
    agents.length > 0
      ? [
          ["tenterhook --yes", "guard your agents, in every project, and see that they obey"],
          ["tenterhook init", "only write a first configuration"],
          demo,
        ]
      : [
          demo,
          ["tenterhook init", "a first configuration"],
          ['tenterhook run "…"', "the built-in agent, under your hooks"],
        ],
  );
}

type Step = "everywhere" | "here" | "trust" | "replay" | "demo";

/** The first run offers to set everything up. */
async function offer(facts: Facts, invocation: Invocation): Promise<Outcome> {
  const { screen, signal } = invocation;
  const { showMenu } = await import("../../../terminal/screens.ts");
  const chosen = await showMenu(menuOf(facts), screen.paint, signal);
  screen.print("");
  switch (chosen) {
    case "everywhere":
    case "here":
      return askAndSetUp(chosen === "everywhere", facts, invocation);
    case "trust":
      return (await import("../hooks/trust.ts")).run(invocation);
    case "replay":
      return preview(invocation);
    case "demo":
      return (await import("../agent/demo.ts")).run(invocation);
    default:
      return undefined;
  }
}

function menuOf({ agents, guard }: Facts): readonly MenuItem<Step | undefined>[] {
  const titles = agents.map(({ title }) => title);
  const whom =
    titles.length === 0 ? "Set it up" : `Guard ${titles.length > 2 ? "all agents" : titles.join(" and ")}`;
  const demo = { value: "demo", title: "Look at the demo", note: "a minute, without a key" } as const;
  const replay = {
    value: "replay",
    title: "See what it would have stopped in your last 30 days",
    note: "changes nothing",
  } as const;
  const hasAgents = agents.length > 0;
  return [
    // Where no agent is, nothing has happened that could be played again.
    ...(hasAgents ? [] : [demo]),
    ...(guard.hooks.length > 0
      ? [{ value: "trust", title: "Look at its hooks", note: "and trust them" } as const]
      : [
          { value: "everywhere", title: `${whom} everywhere`, note: "for you, in every project" } as const,
          { value: "here", title: `${whom} in this project`, note: "for everybody who works on it" } as const,
        ]),
    ...(hasAgents ? [replay, demo] : []),
    { value: undefined, title: "Quit", note: "" },
  ];
}

/** Asks what is to become of the hooks that agents have, if they have some, and sets everything up. */
async function askAndSetUp(isUser: boolean, facts: Facts, invocation: Invocation): Promise<Outcome> {
  const { screen, signal } = invocation;
  const { showMenu } = await import("../../../terminal/screens.ts");
  const places = await projectPlaces(invocation);
  const found = await Promise.all(facts.agents.map(({ name }) => integrationOf(name)));
  const hooks = found.reduce((sum, one) => sum + hooksToBring(one, places, isUser), 0);
  if (hooks === 0) return setUp({ isUser, imports: false }, facts, invocation);
  const imports = await showMenu<boolean | undefined>(
    [
      {
        value: true,
        title: `Bring your ${counted(hooks, "hook")} along`,
        note: "import AGENT --undo takes it back",
      },
      { value: false, title: "Leave them where they are", note: "they go on as before" },
      { value: undefined, title: "Quit", note: "" },
    ],
    screen.paint,
    signal,
  );
  screen.print("");
  return imports === undefined ? undefined : setUp({ isUser, imports }, facts, invocation);
}

/** Replays recorded sessions with the configuration that `init` would write. */
async function preview(invocation: Invocation): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), "tenterhook-start-"));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  process.once("exit", remove);
  try {
    const file = join(folder, "hooks.yaml");
    writeFileSync(file, starterText(), { mode: 0o600 });
    const { run: replay } = await import("../know/replay.ts");
    return await replay({ ...invocation, options: { since: "30d", config: file } });
  } finally {
    process.off("exit", remove);
    remove();
  }
}
