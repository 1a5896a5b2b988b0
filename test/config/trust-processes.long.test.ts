import { fork } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runs } from "../support/long.ts";
import { project } from "./support/project.ts";

it("processes that grant at once lose nothing", async () => {
  const root = project();
  const program = root.write(
    "writer.mjs",
    WRITER.replace(
      "STORE",
      JSON.stringify(new URL("../../src/config/trust/store.ts", import.meta.url).pathname),
    ),
  );
  await bundle(program);
  const children = [0, 1, 2].map((number) =>
    fork(program, [String(number), root.path("state"), String(runs(10))]),
  );
  const codes = await Promise.all(children.map(async (child) => (await once(child, "exit"))[0]));
  expect(codes).toEqual([0, 0, 0]);
  const folder = root.path("state/tenterhook/trust");
  const [key = ""] = readdirSync(folder);
  const newest = readdirSync(join(folder, key)).sort().at(-1) ?? "";
  const { files } = JSON.parse(readFileSync(join(folder, key, newest), "utf8"));
  expect(Object.keys(files).length).toBe(3 * runs(10));
});

const WRITER = `import { changeTrust } from STORE;
const [, , number, state, count] = process.argv;
for (let index = 0; index < Number(count); index += 1)
  await changeTrust("/project", { XDG_STATE_HOME: state }, (files) => files.set(number + "-" + index, { hash: "x", at: "now", guards: [] }));
`;

async function bundle(program: string): Promise<void> {
  const { build } = await import("esbuild");
  const { outputFiles } = await build({
    entryPoints: [program],
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    packages: "external",
  });
  writeFileSync(program, outputFiles[0]?.contents ?? "");
}
