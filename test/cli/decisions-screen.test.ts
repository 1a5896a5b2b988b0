import { expect, it } from "vitest";
import { hookAt } from "../monitor/support/waiting-hook.ts";
import { reported, shownOn } from "./support/reported-agents.ts";

it("decisions are a table: who waits longest first", async () => {
  const { ask, report, shown } = await reported();
  report("agent:turn", "w2");
  report("agent:signal", "w2", { signal: "escalate", message: "Which way?" });
  await shown("decisions");
  report("agent:prompt", "w3", { prompt_type: "question", question: "Which name?" });
  await shown("decisions");
  const { id } = ask("w1", [{ question: "Which colour?", options: [{ label: "Blue" }] }]);
  expect((await shown("decisions")).split("\n")).toEqual([
    "  2 for you · 1 at its terminal",
    "",
    expect.stringMatching(/^ {2}● +\d+ s {2}\S+ {2}w2 {2}question {2}Which way\?$/),
    expect.stringMatching(/^ {2}● +\d+ s {2}\S+ {2}w3 {2}question {2}Which name\? {4}at its terminal$/),
    expect.stringMatching(
      new RegExp(
        `^ {2}● +\\d+ s {2}${id.slice(0, 4)} {2}w1 {2}question {2}Which colour\\? {2}\\d+ min left$`,
      ),
    ),
    "",
    "  tenterhook inbox ID shows all of one.",
    "  tenterhook answer ID CHOICE answers it.",
    "",
  ]);
});

it("a table of decisions fits the screen, whatever agents ask", async () => {
  const { ask, environment, cwd } = await reported();
  for (const name of ["w1", "x".repeat(90)]) ask(name, [{ question: "日本語 ".repeat(40) }]);
  const rows = await shownOn(60, { environment, cwd }, "decisions");
  expect(rows.filter((row) => row.includes("●"))).toHaveLength(2);
});

it("a closed decision shows what was answered, by whom, how and when", async () => {
  const { ask, report, shown, environment } = await reported();
  const asked = ask("w1", [{ question: "Which?", options: [{ label: "Blue" }, { label: "Red" }] }]);
  const { id } = asked;
  const hook = hookAt(asked, environment);
  expect(await shown("answer", id, "2")).toMatch(/^Given to .+ after \d+\.\d s\.\n$/);
  expect(await hook).toMatchObject({ answer: [{ label: "Red" }] });
  expect(await shown("inbox", id)).toMatch(
    /\nclosed {4}answered with Red by \S+ \(cli\), given to the agent after \d+\.\d s\. 20\S+Z\n$/,
  );
  const other = ask("w2", "Why?");
  report("agent:exit", "w2");
  expect(await shown("inbox", other.id)).toMatch(/\nclosed {4}the agent has ended\. 20\S+Z\n$/);
});

it("an answer is not said to have reached an agent whose hook has not taken it", async () => {
  const { ask, shown } = await reported({ takenMilliseconds: 0 });
  const { id } = ask("w1", "Why?");
  expect(await shown("answer", id, "Because.")).toBe(
    `Noted, but w1 was not given it yet. tenterhook inbox ${id} shows what came of it.\n`,
  );
});

it("a beginning that many ids have names some of them", async () => {
  const { ask, shown } = await reported();
  for (let count = 10; count < 30; count += 1) ask(`w${count}`, "Why?", { id: `same${count}` });
  expect(await shown("answer", "same", "1")).toContain(
    'Several decisions begin with "same": same29 (w29), same28 (w28), same27 (w27), same26 (w26), same25 (w25) and 15 more.',
  );
});

it("an answer that is missing is asked for with the options", async () => {
  const { ask, shown } = await reported();
  const { id } = ask("w1", [{ question: "Which?", options: [{ label: "Blue" }, { label: "Red" }] }]);
  expect(await shown("answer", id)).toContain("Give an answer: one of 1 Blue, 2 Red, or any text.");
  const { id: open } = ask("w2", ["Why?"]);
  expect(await shown("answer", open)).toContain("Give an answer.");
});

it("a question that nobody waits for, such as a trial, can be dismissed; one that a hook waits for can't", async () => {
  const { report, ask, shown } = await reported({ takenMilliseconds: 0 });
  const { id } = report("agent:prompt", "test", { prompt_type: "question", question: "Does it work?" });
  expect(await shown("decisions")).toMatch(/test +question +Does it work\? +at its terminal$/m);
  const listed = (await shown("inbox", id)).replaceAll(/\s+/g, " ");
  expect(listed).toContain(`tenterhook answer ${id.slice(0, 4)} dismiss takes it off this list`);
  expect(await shown("answer", "test", "dismiss")).toBe(
    "Taken off the list. test asks in its own terminal.\n",
  );
  expect(await shown("decisions")).toBe("No agent asks you anything.\n");
  ask("held", [{ question: "Which?", options: [{ label: "Blue" }] }]);
  expect(await shown("answer", "held", "dismiss")).toContain("Noted, but");
});
