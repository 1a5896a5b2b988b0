import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { readJournal } from "../../src/journal/read-journal.ts";
import { bundledProgram } from "../support/bundled-program.ts";
import { collected } from "../support/collected.ts";
import { kill } from "../support/faults/kill.ts";
import { runs } from "../support/long.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const program = bundledProgram(new URL("support/writer.ts", import.meta.url));

function start(...args: readonly (string | number)[]) {
  const child = spawn(process.execPath, [program, ...args.map(String)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  return { child, ended: once(child, "exit") };
}

async function messages(folder: string, damage: unknown[] = []): Promise<readonly unknown[]> {
  const records = readJournal({ folder, session: "shared", onDamage: (found) => damage.push(found) });
  return (await collected(records)).map(({ event }) => event.message);
}

it.each([
  ["in one file", 4_000_000],
  ["while files are put aside", 30_000],
])(
  "processes that write at once lose and tear nothing, %s",
  async (_, fileBytes) => {
    const folder = temporaryFolder();
    const count = runs(200);
    const writers = ["a", "b", "c"];
    const codes = await Promise.all(writers.map((name) => start(folder, name, count, 500, fileBytes).ended));
    const expected = writers.flatMap((name) =>
      Array.from({ length: count }, (__, number) => `${name} ${number}`),
    );
    const damage: unknown[] = [];
    expect([codes.map(([code]) => code), [...(await messages(folder, damage))].sort(), damage]).toEqual([
      [0, 0, 0],
      expected.sort(),
      [],
    ]);
  },
  120_000,
);

it("a process killed while it writes leaves a file that can be read and written on", async () => {
  for (let round = 0; round < runs(3); round += 1) {
    const folder = temporaryFolder();
    const { child, ended } = start(folder, "killed", 1_000_000, 30_000, 1_000_000_000);
    await once(child.stdout, "data");
    kill(child);
    await ended;
    const before = await messages(folder);
    expect(before).toEqual(before.map((__, number) => `killed ${number}`));
    await start(folder, "after", 5).ended;
    const all = await messages(folder);
    expect(all).toEqual([...before, ...Array.from({ length: 5 }, (__, number) => `after ${number}`)]);
    const lines = readFileSync(
      join(
        folder,
        readdirSync(folder)
          .filter((name) => name.endsWith(".jsonl"))
          .join(""),
      ),
      "utf8",
    );
    expect(lines.endsWith("\n")).toBe(true);
  }
});

it("a disk that is full stops no decision, is reported once, and what comes later is whole", async () => {
  const folder = temporaryFolder();
  // A limit on the size of files stands in for the end of a disk: the last write is cut short, the next one fails.
  const limited = `trap "" XFSZ; ulimit -f 16; exec "$0" "$@"`;
  const child = spawn("sh", ["-c", limited, process.execPath, program, folder, "limited", "100", "500"], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, "close")]);
  expect([code, stderr.match(/Could not write decisions to the journal/g)?.length]).toEqual([0, 1]);
  const before = await messages(folder);
  expect(before.length).toBeGreaterThan(5);
  expect(before).toEqual(before.map((_, number) => `limited ${number}`));
  await start(folder, "after", 5).ended;
  expect((await messages(folder)).slice(before.length)).toEqual(
    Array.from({ length: 5 }, (_, number) => `after ${number}`),
  );
});
