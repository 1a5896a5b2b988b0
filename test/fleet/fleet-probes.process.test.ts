import { request } from "node:http";
import { connect } from "node:net";
import { hostname } from "node:os";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { eventually } from "../support/processes.ts";
import { fleetServer, newFleet } from "./support/fleet.ts";

const server = await fleetServer();

function get(
  url: string,
  options: { readonly method?: string; readonly headers?: Record<string, string> } = {},
) {
  return new Promise<readonly [number | undefined, string]>((resolve, reject) => {
    const sent = request(url, options, (response) => {
      text(response).then((body) => resolve([response.statusCode, body]), reject);
    });
    sent.on("error", reject).end();
  });
}

/** What no client with good manners sends: the first line is as it is given. */
function getRaw(port: number, path: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.end(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
  return text(socket);
}

describe("a worker that listens", () => {
  it("tells monitors whether it works, and how the fleet is", async () => {
    const { submit, script, work, until, fleet } = await newFleet(server, { config: {} });
    const ask = [{ tool_calls: [{ name: "Bash", input: { command: "echo asked" } }] }, { text: "Over." }];
    await submit({ task: "Done.", model: script("done", [{ text: "Over." }]) });
    await submit({ task: "Asks.", model: script("asks", ask) });
    const worker = await work({ listen: "127.0.0.1:0" });
    await until("done", "waiting");
    const [url = ""] = /http:\/\/127\.0\.0\.1:\d+/.exec(worker.said()) ?? [];
    expect([await get(`${url}/healthz`), await get(`${url}/readyz`)]).toEqual([
      [200, "ok\n"],
      [200, "ok\n"],
    ]);
    const [status, metrics] = await get(`${url}/metrics`);
    expect([
      status,
      metrics.split("\n").filter((line) => !line.startsWith("#") && !/ 0$/.test(line)),
    ]).toEqual([
      200,
      [
        'tenterhook_runs{state="waiting"} 1',
        'tenterhook_runs{state="done"} 1',
        "tenterhook_answers_waiting 1",
        'tenterhook_workers{cordoned="false"} 1',
        "tenterhook_places 4",
        "",
      ],
    ]);
    expect(metrics).toContain("# TYPE tenterhook_leases_lost_total counter");
    expect(await get(`${url}/metrics`, { headers: { host: "evil.example" } })).toEqual([
      403,
      "This Host is not allowed.\n",
    ]);
    expect([(await get(url, { method: "POST" }))[0], (await get(`${url}/x`))[0]]).toEqual([405, 404]);
    for (const path of ["//", "http://["])
      expect(await getRaw(Number(new URL(url).port), path), path).toMatch(/^HTTP\/1\.1 404 /);
    expect((await get(`${url}/healthz?full`))[0]).toBe(200);
    await fleet("cordon", hostname());
    await eventually(async () =>
      expect(await get(`${url}/readyz`)).toEqual([503, expect.stringContaining("Cordoned by")]),
    );
    expect(await get(`${url}/healthz`)).toEqual([200, "ok\n"]);
  });

  it("takes no runs when it can't listen", async () => {
    const { fleet, database } = await newFleet(server);
    const { code, stderr } = await fleet("worker", "--listen", "nowhere");
    expect([code, stderr]).toEqual([2, expect.stringContaining('"nowhere" is no HOST:PORT')]);
    expect(await database.query("SELECT worker FROM tenterhook.workers")).toEqual([]);
  });
});
