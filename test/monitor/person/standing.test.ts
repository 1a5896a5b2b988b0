import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Link, Origin } from "../../../src/monitor/person/origin.ts";
import { ROWS, standingOf } from "../../../src/monitor/person/standing.ts";

const HOME = { HOME: "/home/anna" };

/** A process; `started` counts up from the boot. */
function link(name: string, started: number, more: Partial<Link> = {}): Link {
  const usual = { parent: 1, hasTerminal: false, leadsSession: false, variables: HOME };
  return { pid: started, name, words: [name], started: String(started), ...usual, ...more };
}

const init = link("systemd", 1, { pid: 1, parent: 0, leadsSession: true });
const window = link("gnome-terminal-server", 100, { leadsSession: true });
const shell = (started: number) => link("bash", started, { hasTerminal: true, leadsSession: true });
const command = link("tenterhook", 900, { hasTerminal: true });
const noTerminal = link("tenterhook", 900);
const claude = { name: "claude", pid: 500, started: "500" };

const standing = (chain: readonly Link[], more: Partial<Origin> = {}) =>
  standingOf({ chain, agents: [claude], ...more });

describe("who is a person", () => {
  it.each<[string, readonly Link[], Partial<Origin>]>([
    ["a shell of a window that was open before the agent", [command, shell(200), window, init], {}],
    [
      "a tmux pane that was there before it, with tmux as its own parent",
      [command, shell(300), link("tmux: server", 90, { leadsSession: true }), init],
      {},
    ],
    ["an ssh session from before it", [command, shell(210), link("sshd", 209), link("sshd", 20), init], {}],
    [
      "sudo, which opens a terminal of its own",
      [
        command,
        link("sudo", 800, { hasTerminal: true, leadsSession: true }),
        link("sudo", 799),
        shell(200),
        init,
      ],
      {},
    ],
    ["a task of an editor from before it", [noTerminal, link("code", 150, { leadsSession: true }), init], {}],
    ["a window of today where no agent runs", [command, shell(800), window, init], { agents: [] }],
    ["a job of a container's first process, where no agent runs", [noTerminal, init], { agents: [] }],
    ["such a job that was there before the agent", [noTerminal, link("npm", 400), init], {}],
    ["the daemon itself", [noTerminal, init], { daemon: "first" }],
  ])("%s is", (_name, chain, more) => {
    expect(standing(chain, more)).toMatchObject({ is: "person" });
  });

  it.each<[string, readonly Link[], Partial<Origin>]>([
    ["a window that was opened after the agent", [command, shell(800), window, init], {}],
    ["an editor's terminal that was opened after it", [command, shell(800), link("code", 150), init], {}],
    ["a tmux pane that was made after it", [command, shell(800), link("tmux: server", 90), init], {}],
    [
      "an ssh session that began after it",
      [noTerminal, link("sh", 800, { leadsSession: true }), link("sshd", 20), init],
      {},
    ],
    ["docker exec", [command, link("sh", 800, { hasTerminal: true, leadsSession: true, parent: 0 })], {}],
    ["an orphan with a pseudo-terminal", [command, shell(800), link("python3", 799), init], {}],
    ["an orphan in the session of a process that has ended", [noTerminal, init], {}],
    [
      "a job that a tmux from before it was given",
      [noTerminal, link("sh", 800), link("tmux: server", 90, { leadsSession: true }), init],
      {},
    ],
    [
      "a window that a screen from before it was given",
      [command, shell(800), link("screen", 91, { leadsSession: true }), link("screen", 90), shell(80), init],
      {},
    ],
    ["a job of at", [noTerminal, link("sh", 800), link("atd", 20, { leadsSession: true }), init], {}],
    ["what the system does not show", [], { agents: [] }],
  ])("%s is asked about elsewhere", (_name, chain, more) => {
    expect(standing(chain, more)).toMatchObject({ is: "asked" });
  });

  const cleared = { variables: {}, leadsSession: true };
  it.each<[string, readonly Link[], Partial<Origin>]>([
    ["below an agent", [command, shell(200), window, init], { agent: "claude is process 500" }],
    [
      "what the daemon starts, such as a hook's program",
      [noTerminal, link("node", 200, { leadsSession: true })],
      { daemon: "above", agents: [] },
    ],
    ["an orphan with a cleared environment", [link("tenterhook", 900, cleared), init], {}],
    [
      "an orphan with a cleared environment where no agent is known",
      [link("tenterhook", 900, { variables: { PATH: "/bin" } }), link("sh", 899, cleared), init],
      { agents: [] },
    ],
  ])("%s is refused", (_name, chain, more) => {
    expect(standing(chain, more)).toMatchObject({ is: "refused" });
  });

  it("what was opened later is told apart by its session", () => {
    expect(standing([command, shell(800), window, init])).toMatchObject({
      why: "This terminal was there only after claude (process 500) had started, so it may be the agent's.",
      session: { pid: 800, started: "800", hasTerminal: true },
    });
  });

  it("only somebody below a terminal has one", () => {
    expect(standing([command, shell(200), window, init])).toMatchObject({ hasTerminal: true });
    expect(standing([noTerminal, link("code", 50, { leadsSession: true }), init])).toMatchObject({
      hasTerminal: false,
    });
  });
});

it("the guide on security has the rows of the table, in their order", () => {
  const guide = readFileSync(new URL("../../../docs/guides/security.md", import.meta.url), "utf8");
  const words = { person: "acts as you", asked: "you are asked", refused: "is refused" };
  const rows = ROWS.map(({ from, is }) => `| ${from} | ${words[is]} |`);
  expect(guide).toContain(rows.join("\n"));
});
