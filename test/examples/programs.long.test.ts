import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ROOT, temporaryFolder } from "../repository/support/files.ts";
import { type PackedProject, packedProject } from "../repository/support/packed-project.ts";
import { ONE_CHECKER } from "../repository/support/run.ts";
import { kill } from "../support/faults/kill.ts";
import { endAfterTest } from "../support/processes.ts";

/** What the programs import, apart from what comes with the package. */
const OTHERS = ["hono", "@hono/node-server", "@types/node", "undici-types", "zod"];

let project: PackedProject;
beforeAll(async () => {
  project = await packedProject(Object.fromEntries(OTHERS.map((name) => [name, name])));
  cpSync(join(ROOT, "examples/programs"), join(project.folder, "src"), { recursive: true });
});
afterAll(() => project.remove());

const STRICT = {
  target: "es2022",
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
};

/** Compiles all programs as a project of a user would. */
function compiled(resolution: object) {
  const compilerOptions = { ...STRICT, types: ["node"], rootDir: "src", outDir: "built", ...resolution };
  project.write({ "tsconfig.json": JSON.stringify({ compilerOptions, include: ["src"] }) });
  const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
  return project.run(process.execPath, tsc, ...ONE_CHECKER, "-p", ".");
}

/** What a program prints that needs nobody. */
const PRINTS = {
  "own-loop": "select mail from users: [mail]\nrefused: Tables stay.\n",
  "subagents-and-stop-gate": "reviewer is done\ncomplete: Now it is done.\n",
  "typed-events": "staging: continue Deploying to staging.\nproduction: deny Ask the team first.\n",
  "own-store-and-model": "This is request 1.\nThis is request 2.\n4 messages\n",
};

/** Starts the server with a folder for its data, and returns its address. */
async function startServer(
  data: string,
): Promise<{ readonly child: ChildProcess; readonly address: string }> {
  const child = spawn(process.execPath, ["built/approval-server.js", data], {
    cwd: project.folder,
    stdio: ["ignore", "pipe", "inherit"],
  });
  endAfterTest(child);
  const [port] = await once(createInterface(child.stdout), "line");
  return { child, address: `http://127.0.0.1:${port}` };
}

async function post(
  url: string,
  body: string,
): Promise<{ readonly status: number; readonly reply: unknown }> {
  const response = await fetch(url, { method: "POST", body });
  return { status: response.status, reply: await response.json() };
}

describe("the six programs of a new user", () => {
  test("compile in strict mode, with exactOptionalPropertyTypes, as a bundler resolves modules", async () => {
    const resolution = { module: "esnext", moduleResolution: "bundler", noEmit: true };
    expect(await compiled(resolution)).toEqual({ code: 0, output: "" });
  });

  test("compile and run as Node resolves modules", async () => {
    expect(await compiled({ module: "nodenext" })).toEqual({ code: 0, output: "" });
    for (const [name, output] of Object.entries(PRINTS))
      expect([name, await project.run(process.execPath, `built/${name}.js`)]).toEqual([
        name,
        { code: 0, output },
      ]);
    expect(await project.run(process.execPath, "--test", "built/plugin/test.js")).toMatchObject({ code: 0 });

    const data = temporaryFolder();
    const killed = await startServer(data);
    const { reply } = await post(`${killed.address}/tasks`, "Refund order 17.");
    expect(reply).toMatchObject({ stop_reason: "suspended", waiting_for: { type: "permission" } });
    kill(killed.child);
    await once(killed.child, "exit");
    const { agent_id } = reply as { readonly agent_id: string };
    const { address } = await startServer(data);
    expect(await post(`${address}/tasks/${agent_id}/answer`, "yes")).toMatchObject({
      status: 200,
      reply: { stop_reason: "complete" },
    });
    expect(await post(`${address}/tasks/${agent_id}/answer`, "yes")).toMatchObject({ status: 409 });
    expect(readFileSync(join(data, "paid.txt"), "utf8")).toBe("17 250\n");
  });
});
