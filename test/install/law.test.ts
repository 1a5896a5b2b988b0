import fc from "fast-check";
import { grantTrust, loadConfig, reviewTrust } from "tenterhook/config";
import { expect, it } from "vitest";
import { integrationOf } from "../../src/adapters/integrations.ts";
import { loadInForce } from "../../src/cli/configured-hooks/load-hooks.ts";
import { applyInstall, applyUninstall } from "../../src/install/apply.ts";
import { installationOf } from "../../src/install/installation.ts";
import { type Judgement, judge } from "../../src/install/judgement.ts";
import { needsOf } from "../../src/install/needs.ts";
import { filesToWrite, planInstall, planUninstall } from "../../src/install/plan.ts";
import { placesIn, settingsOf } from "../../src/install/settings-files.ts";
import { runCli } from "../cli/support/run-cli.ts";
import { size } from "../support/long.ts";
import { CLAUDE, type DrivenAgent, GEMINI, type Seen, World } from "./world.ts";

const CONFIG = "project/.tenterhook/hooks.json";
const AGENTS = [CLAUDE, GEMINI];
const EVENTS = ["PreToolUse", "PostToolUse", "UserPromptSubmit", "SessionStart", "Stop"];

/** A hook for each event: it gives a message, so that it never refuses by itself. */
function configOf(hooks: readonly Written[]): string {
  const definitions = hooks.map(({ event, enabled, shadow }) => ({
    name: `on-${event}`,
    type: "inline",
    matcher: { events: [EVENTS[event]] },
    rules: 'session_id contains "s" -> continue()',
    ...(enabled ? {} : { enabled }),
    ...(shadow ? { mode: "shadow" } : {}),
  }));
  return JSON.stringify({ hooks: { definitions } });
}

interface Written {
  readonly event: number;
  readonly enabled: boolean;
  readonly shadow: boolean;
}

/** What a step does, shown by its name. */
interface Step {
  readonly act: (world: World) => Promise<void> | void;
  [fc.toStringMethod](): string;
}

function named(name: string, act: Step["act"]): Step {
  return { act, [fc.toStringMethod]: () => name };
}

const TRUST = named("trust", trust);

const agent = fc.constantFrom(...AGENTS);
const scope = fc.constantFrom("project", "user", "local" as const);

const written: fc.Arbitrary<Written> = fc.record({
  event: fc.nat({ max: EVENTS.length - 1 }),
  enabled: fc.constantFrom(true, true, true, false),
  shadow: fc.constantFrom(false, false, false, true),
});

const hooks = fc
  .uniqueArray(written, { selector: ({ event }) => event, minLength: 1, maxLength: 5 })
  .map(edit);

/** What a person, an agent or an accident does, each as a step with its name. */
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: hooks },
  { weight: 4, arbitrary: fc.tuple(agent, scope).map(([one, where]) => install(one, where)) },
  { weight: 4, arbitrary: fc.tuple(hooks, agent).map(([first, one]) => setUp(first, one)) },
  { weight: 2, arbitrary: fc.constant(TRUST) },
  { weight: 1, arbitrary: fc.constant("import").map(() => IMPORT) },
  { weight: 1, arbitrary: fc.tuple(agent, scope).map(([one, where]) => uninstall(one, where)) },
  { weight: 1, arbitrary: agent.map((one) => named(`sync ${one.name}`, (world) => sync(one, world))) },
  { weight: 1, arbitrary: fc.constantFrom("", "hooks: [", '{ "hooks": 1 }').map(breakConfig) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(
        CONFIG,
        "bin/tenterhook",
        ...AGENTS.flatMap(({ settings, trust = [] }) => [...settings, ...[trust].flat()]),
      )
      .map(remove),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(agent, fc.nat({ max: 4 }), fc.boolean())
      .map(([one, at, cut]) => byHand(one, at, cut)),
  },
  { weight: 1, arbitrary: fc.constantFrom(...CLAUDE.settings).map(switchOff) },
  { weight: 1, arbitrary: agent.map((one) => named(`${one.name} works`, (world) => called(one, world))) },
);

function edit(hooks: readonly Written[]): Step {
  const text = configOf(hooks);
  return named(`edit ${text}`, (world) => world.write(CONFIG, text));
}

/** What a person does who wants it to work. */
function setUp(hooksOf: Step, one: DrivenAgent): Step {
  const steps = [hooksOf, TRUST, install(one, "project")];
  return named(`set up: ${fc.stringify(steps)}`, async (world) => {
    world.write("bin/tenterhook", "#!/bin/sh\n", 0o755);
    world.trustFolder(one);
    for (const { act } of steps) await act(world);
  });
}

function breakConfig(text: string): Step {
  return named(`break ${text}`, (world) => world.write(CONFIG, text));
}

function remove(path: string): Step {
  return named(`remove ${path}`, (world) => world.remove(path));
}

function switchOff(path: string): Step {
  return named(`off ${path}`, (world) =>
    changeJson(world, path, (json) => ({ ...json, disableAllHooks: true })),
  );
}

/** A hook of the agent's own, on an event that is not driven, comes under Tenterhook. */
const IMPORT = named("import claude", async (world) => {
  const [path = ""] = CLAUDE.settings;
  if (world.read(path) === undefined) world.write(path, "{}");
  const original = [{ hooks: [{ type: "command", command: "echo hi" }] }];
  changeJson(world, path, (json) => ({ ...json, hooks: { ...Object(json.hooks), Notification: original } }));
  await runCli(world.cwd, world.environment, "import", "claude", "--remove", "--yes");
});

/** Somebody narrows an entry of ours to another tool, or takes it out. */
function byHand({ name, settings, events }: DrivenAgent, at: number, cut: boolean): Step {
  const event = events[at] ?? "";
  const change = (json: Record<string, unknown>) => {
    const { [event]: groups, ...rest } = { ...(json.hooks as Record<string, object[]>) };
    if (groups === undefined) return json;
    const narrow = groups.map((group) => ({ ...group, matcher: "Write" }));
    return { ...json, hooks: cut || !/Tool/.test(event) ? rest : { ...rest, [event]: narrow } };
  };
  return named(`${name} ${event} ${cut ? "cut" : "narrowed"}`, (world) => {
    for (const path of settings) changeJson(world, path, change);
  });
}

function changeJson(world: World, path: string, change: (json: Record<string, unknown>) => object): void {
  const text = world.read(path);
  if (text !== undefined) world.write(path, JSON.stringify(change(JSON.parse(text))));
}

async function trust({ cwd, environment }: World): Promise<void> {
  const review = await reviewTrust({ cwd, environment }).catch(() => undefined);
  if (review !== undefined) await grantTrust(review, { environment });
}

function install(one: DrivenAgent, where: "project" | "user" | "local"): Step {
  return named(`install ${one.name} ${where}`, (world) => wire(one, world, where));
}

const sync = (one: DrivenAgent, world: World): Promise<void> => wire(one, world, undefined);

/** What `install` does, and `install --sync` where no scope is chosen. */
async function wire(
  { name }: DrivenAgent,
  { cwd, environment }: World,
  where: "project" | "user" | "local" | undefined,
): Promise<void> {
  const config = await loadConfig({ cwd, environment }).catch(() => undefined);
  if (config === undefined) return;
  const integration = await integrationOf(name);
  const places = placesIn(cwd, environment);
  const needs = needsOf(config, integration);
  const installation = installationOf(integration, places);
  const fit = where !== undefined && integration.scopes.includes(where) ? where : undefined;
  const chosen = fit === undefined ? undefined : settingsOf(integration, fit, places);
  const wish = { stripComments: false, statusLine: false, trust: false };
  for (const { settings, needed } of filesToWrite(installation, needs, chosen, fit === undefined))
    await applyInstall(planInstall(integration, settings, needed, wish, places), places);
}

function uninstall({ name }: DrivenAgent, where: "project" | "user" | "local"): Step {
  return named(`uninstall ${name} ${where}`, async ({ cwd, environment }) => {
    const integration = await integrationOf(name);
    if (!integration.scopes.includes(where)) return;
    const places = placesIn(cwd, environment);
    await applyUninstall(planUninstall(integration, settingsOf(integration, where, places), places), places);
  });
}

/** An agent works, and so what it found is the last good configuration. */
async function called(one: DrivenAgent, world: World): Promise<void> {
  for (const event of one.events) await world.drive(one, event, ["shell"]);
}

async function judged({ name }: DrivenAgent, { cwd, environment }: World): Promise<Judgement> {
  const { signal } = new AbortController();
  const { hooks: set, config, failing } = await loadInForce({ cwd, environment, signal });
  await set.close();
  const integration = await integrationOf(name);
  const installation = installationOf(integration, placesIn(cwd, environment));
  return judge(config, failing, [{ installation, needs: needsOf(config, integration) }], cwd);
}

/** What the judgement says that an agent will see on an event, and how many hooks are on it. */
function expected(
  { hooks, agents, configuration, gone, changed }: Judgement,
  { name }: DrivenAgent,
  native: string,
): Seen & { readonly hooks: number } {
  const found = agents.find((one) => one.name === name)?.events.find(({ event }) => event === native);
  const on = hooks.filter((one) => found?.hooks.includes(one.name));
  if (found?.runnable !== true) return { called: false, refused: false, ran: [], hooks: on.length };
  const isClosed =
    configuration === "broken" ||
    gone.length + changed.length > 0 ||
    on.some(({ refuses }) => refuses === true);
  const ran = on.flatMap((one) => (one.state === "in_force" || one.state === "records" ? [one.name] : []));
  return { called: true, refused: found.gate && isClosed, ran, hooks: on.length };
}

// It takes most of the time, and is the same for all hooks.
const UNPROTECTED = JSON.stringify({ self_protection: { enabled: false }, monitor: { watch: false } });

const timeout = size(600_000, 7_200_000);

it("whatever happens to a project, the judgement says what its agents will see", { timeout }, async () => {
  const world = new World();
  const met = { called: 0, refused: 0, ran: 0, left_alone: 0 };
  const look = async (one: DrivenAgent): Promise<void> => {
    const judgement = await judged(one, world);
    for (const event of one.events) {
      const { hooks: number, ...said } = expected(judgement, one, event);
      // What guards the guard alone asks about no tool that only reads.
      const seen = await world.drive(one, event, number > 0 ? ["shell", "reads"] : ["shell"]);
      met.called += Number(seen.called);
      met.refused += Number(seen.refused);
      met.ran += seen.ran.length;
      met.left_alone += Number(!seen.called && number > 0);
      // Which tools the hooks of an unreadable or emptied file needed, nobody knows.
      if (said.called && number === 0 && !seen.called) continue;
      // What a refusal leaves out is not said.
      const ran = seen.refused ? said.ran : seen.ran;
      expect({ event, ...seen, ran: ran.toSorted() }).toEqual({ event, ...said, ran: said.ran.toSorted() });
    }
  };
  // Each beginning of a sequence is one, too.
  const sequence = fc.array(fc.tuple(step, agent), { minLength: STEPS, maxLength: STEPS });
  const run = async (steps: readonly (readonly [Step, DrivenAgent])[], isGuarded: boolean): Promise<void> => {
    world.reset();
    if (!isGuarded) world.write("config/tenterhook/hooks.json", UNPROTECTED);
    for (const [{ act }, one] of steps) {
      await act(world);
      await look(one);
    }
  };
  const isGuarded = fc.constantFrom(true, ...Array.from({ length: 9 }, () => false));
  await fc.assert(fc.asyncProperty(sequence, isGuarded, run), { numRuns: size(500, 20_000) / STEPS });
  for (const number of Object.values(met)) expect(number).toBeGreaterThan(size(50, 2000));
});

const STEPS = 25;
