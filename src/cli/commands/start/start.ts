import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { integrationOf } from "../../../adapters/integrations.ts";
import type { MenuItem } from "../../../terminal/menu/menu.tsx";
import type { CommandRun, Invocation, Outcome } from "../../command-line/command.ts";
import { progress } from "../../command-line/screen/progress.ts";
import { type Block, findings, steps } from "../../command-line/screen/report.ts";
import { dim, shortPath } from "../../command-line/screen/text.ts";
import { guardOf } from "../../configured-hooks/guard.ts";
import { nextStep, setUpFindings } from "../../configured-hooks/set-up.ts";
import { projectPlaces } from "../../integrations/chosen-settings.ts";
import { starterText } from "../hooks/init/starter.ts";
import { type Facts, gatherFacts } from "./facts.ts";
import { headLine, stateLines, unguardedBlocks } from "./start-lines.ts";

/** `tenterhook` alone: what is in force here, what waits and what to do next. */
export const run: CommandRun = async (invocation) => {
  const { screen, json, cwd } = invocation;
  const done = json ? () => {} : progress(screen, "Looking at the project and for agents…");
  const facts = await gatherFacts(invocation).finally(done);
  const { configuration, gone, hooks } = facts.guard;
  const isGuarded =
    hooks.some(({ state }) => state !== "untrusted") ||
    facts.turn_hooks !== undefined ||
    configuration === "broken" ||
    configuration === "last_good" ||
    gone.length > 0;
  const head = ["", headLine(shortPath(cwd, cwd)), ""];
  if (isGuarded) return { json: facts, blocks: [...head, stateLines(facts, cwd, Date.now()), ""] };
  const found = [...head, ...unguardedBlocks(facts), ""];
  if (json || !screen.interactive) return { json: facts, blocks: [...found, nextSteps(facts), ""] };
  screen.print(...found);
  return offer(facts, invocation);
};

function nextSteps({ agents, guard }: Facts): Block {
  const names = agents.map(({ name }) => name).join(" ");
  return steps(
    guard.hooks.length > 0
      ? [["tenterhook trust", "see what its hooks would run, and trust them"]]
      : [
          ["tenterhook init", "a first configuration"],
          names === ""
            ? ['tenterhook run "…"', "our own agent, under your hooks"]
            : [`tenterhook install ${names}`, "have your agents ask it"],
          ["tenterhook run --demo", "see it work, without a key"],
        ],
  );
}

type Step = "set up" | "trust" | "replay" | "demo";

/** The first run offers to set everything up. */
async function offer(facts: Facts, invocation: Invocation): Promise<Outcome> {
  const { screen, signal } = invocation;
  const { showMenu } = await import("../../../terminal/screens.ts");
  const chosen = await showMenu(menuOf(facts), screen.paint, signal);
  screen.print("");
  switch (chosen) {
    case "set up":
      return setUp(facts, invocation);
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
  const whom = titles.length === 0 ? "" : ` for ${titles.length > 2 ? "all agents" : titles.join(" and ")}`;
  const changes =
    agents.length === 0 ? "writes .tenterhook/hooks.yaml" : "writes hooks.yaml and their settings";
  return [
    ...(guard.hooks.length > 0
      ? [{ value: "trust", title: "Look at its hooks", note: "and trust them" } as const]
      : [{ value: "set up", title: `Set it up${whom}`, note: changes } as const]),
    {
      value: "replay",
      title: "See what it would have stopped in your last 30 days",
      note: "changes nothing",
    },
    { value: "demo", title: "Look at the demo", note: "a minute, without a key" },
    { value: undefined, title: "Quit", note: "" },
  ];
}

const WHERE: readonly MenuItem<boolean | undefined>[] = [
  { value: true, title: "Everywhere", note: "for you, in every project" },
  { value: false, title: "In this project", note: "for everybody who works on it" },
  { value: undefined, title: "Quit", note: "" },
];

/** Asks where, once, writes a configuration and has all agents ask it, in a line each. What else is to know, `check -v` says. */
async function setUp(facts: Facts, given: Invocation): Promise<Outcome> {
  const { showMenu } = await import("../../../terminal/screens.ts");
  const isUser = await showMenu(WHERE, given.screen.paint, given.signal);
  given.screen.print("");
  if (isUser === undefined) return;
  const invocation = { ...given, options: isUser ? { user: true } : {} };
  const { writeStarter } = await import("../hooks/init.ts");
  const { installInto } = await import("../integrations/install.ts");
  const { packs } = await writeStarter(invocation);
  const agents = await Promise.all(facts.agents.map(({ name }) => integrationOf(name)));
  // One that can't run the hooks keeps no other from it.
  const options = { ...invocation.options, all: true };
  const { done, refused } = await installInto(agents, { ...invocation, options });
  const { judgement } = await guardOf(invocation);
  const places = await projectPlaces(invocation);
  const connected = done.map(({ integration }) => ({ integration, isUser }));
  const file = packs.length === 0 ? "no packs" : packs.join(", ");
  return {
    json: facts,
    blocks: [
      findings([
        { level: "ok", about: "hooks.yaml", message: file },
        ...setUpFindings(connected, judgement, places, given.cwd),
        ...refused,
      ]),
      "",
      nextStep(connected),
      dim("  tenterhook check -v shows what else there is to know."),
    ],
    code: refused.length === 0 ? 0 : 1,
  };
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
