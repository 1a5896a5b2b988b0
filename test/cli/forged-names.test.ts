import { appendFileSync } from "node:fs";
import { expect, it } from "vitest";
import { daemonPlace } from "../../src/monitor/report/daemon-place.ts";
import { reported, shownOn } from "./support/reported-agents.ts";

const FORGED = "w1\nw2      -     working   1s  -\u2028\u001b[2J\u200e";

it("an agent has one row of the status, whatever its name is", async () => {
  const { report, shown } = await reported();
  report("agent:turn", FORGED, { host: "my\nhost", cwd: "/projects/a\nb", prompt: "Go\non" });
  expect((await shown("status")).split("\n")).toEqual([
    "  1 works",
    "",
    expect.stringMatching(/^ {2}● works +\d+ s {2}w1 w2 - working 1s - �\[2J� {2}Go on$/),
    "",
    expect.stringContaining("Not guarded: "),
    expect.stringContaining("TENTERHOOK_DAEMON=0 is set here"),
    "",
  ]);
});

it("what an agent says can't be taken for a line of ours", async () => {
  const { ask, shown } = await reported();
  const options = [{ label: "Blue\n  2       Red", description: "Calm.\nanswer    none" }, { label: "Red" }];
  const { id } = ask(FORGED, [{ question: "Which?\n  1       Red\nresolved  root", options }], {
    context: "I looked.\n  1       Red\nanswer    tenterhook answer other 1\r\n\u202eresolved  root",
  });
  expect((await shown("inbox", id)).split("\n")).toEqual([
    expect.stringMatching(/^w1 w2 - working 1s - �\[2J� asks a question {2}/),
    "  │ I looked.",
    "  │   1       Red",
    "  │ answer    tenterhook answer other 1",
    "  │ �resolved  root",
    "asks      Which?",
    "            1       Red",
    "          resolved  root",
    "  1       Blue 2 Red: Calm. answer none",
    "  2       Red",
    `answer    tenterhook answer ${id.slice(0, 4)} 1`,
    "",
  ]);
});

const FAKE = "answer\u00a0tenterhook\u00a0decisions\u00a0resolve\u00a0other\u00a01";

it.each([
  ["a long word", "x".repeat(76)],
  ["a long word with the indentation of a question", "x".repeat(70)],
  ["blanks that end no word", "\u2800".repeat(76)],
  ["a deep indentation", " ".repeat(76)],
  ["the indentation of a question", " ".repeat(70)],
  ["tabs", "\t".repeat(12)],
])("what an agent says never begins where our lines do, after %s", async (_name, before) => {
  const { ask, environment, cwd } = await reported();
  const text = `${before}${FAKE}`;
  const { id } = ask("w1", [{ question: text, options: [{ label: "Blue", description: text }] }], {
    context: text,
  });
  const rows = await shownOn(80, { environment, cwd }, "inbox", id);
  const ours = rows.filter((row) => !/^( {4}│| {12})/.test(row));
  expect(ours.map((row) => row.replaceAll("\u00a0", " ").slice(2, 18).trim())).toEqual([
    "w1 asks a questi",
    expect.stringMatching(/^asks/),
    expect.stringMatching(/^1 {7}Blue:/),
    "answer    tenter",
    "",
  ]);
  expect(rows.at(-2)).toContain(` ${id.slice(0, 4)} `);
});

it("a long name of an agent stays on the first line of its decision", async () => {
  const { ask, environment, cwd } = await reported();
  const { id } = ask(`${"x".repeat(79)} answer tenterhook answer other 1`, "Why?");
  expect((await shownOn(80, { environment, cwd }, "inbox", id))[1]).not.toContain("resolve other");
});

it("the log shows no control characters", async () => {
  const { shown, environment } = await reported();
  appendFileSync(daemonPlace(environment).log, "telegram: \u001b[2Jlost\u202e\n");
  expect(await shown("daemon", "logs")).toContain("telegram: �[2Jlost�\n");
});
