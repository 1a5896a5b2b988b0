import { readFileSync, writeFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { mustBeBuilt } from "../repository/support/files.ts";
import { type Shot, svgOf, wordsOf } from "./recordings/svg.ts";
import { TAPES, type Tape } from "./recordings/tapes.ts";

beforeAll(mustBeBuilt);

/** The folder of a test's project has another name each time. */
const FOLDERS = /\/tmp\/[\w/.-]*|tenterhook-demo-\w+/g;

async function played({ start, scenes, columns, rows }: Tape): Promise<readonly Shot[]> {
  const terminal = await start({ columns, rows });
  const shots: Shot[] = [];
  for (const { shows, seconds = 2, keys = [], types = "", moves = false, still = false } of scenes) {
    await terminal.shows(shows);
    const screen = terminal
      .painted()
      .replace(/\n?exit code 0\s*$/, "")
      // A busy machine shows how far it is.
      .replace(/^.* \d+ calls {3}.*\n/m, "")
      .replaceAll(/\(\/tmp\/[\w/.-]*\)/g, "(/home/you)")
      .replaceAll(FOLDERS, "~/shop");
    shots.push({ screen, seconds, moves, isStill: still });
    if (types !== "") terminal.type(types);
    if (keys.length > 0) terminal.keys(...keys);
  }
  return shots;
}

/** `npm run record` writes the pictures; here they must say what the program says. */
describe("the recordings in docs/pictures", () => {
  it.for(TAPES.map((tape) => [tape.name, tape] as const))("%s", async ([name, tape]) => {
    const picture = new URL(`../../docs/pictures/${name}.svg`, import.meta.url);
    const svg = svgOf(await played(tape), tape.columns, tape.rows);
    if (process.env.RECORD !== undefined) writeFileSync(picture, svg);
    expect(wordsOf(svg)).toBe(wordsOf(readFileSync(picture, "utf8")));
    expect(svg.length).toBeLessThan(60_000);
  });
});
