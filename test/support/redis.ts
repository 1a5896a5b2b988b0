import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createConnection } from "node:net";
import { afterAll } from "vitest";
import { freePort } from "./free-port.ts";
import { needs } from "./needs.ts";
import { eventually } from "./processes.ts";
import { type AtEnd, temporaryFolder } from "./temporary-folder.ts";

/** A real Redis server on this machine. */
export interface RedisServer {
  readonly url: string;
  /** Forgets everything, as a server that keeps nothing on its disk does at a restart. */
  empty(): Promise<void>;
}

/** Starts a Redis server for the tests of a file, which keeps nothing on the disk. Call it at its top with `await`. */
export async function redisServer(atEnd: AtEnd = afterAll): Promise<RedisServer> {
  needs("redis-server");
  const folder = temporaryFolder(atEnd);
  const port = await freePort();
  const args = [
    "--port",
    String(port),
    "--bind",
    "127.0.0.1",
    "--dir",
    folder,
    "--save",
    "",
    "--appendonly",
    "no",
  ];
  const server: ChildProcess = spawn("redis-server", args, { stdio: "ignore" });
  const ended = once(server, "exit");
  atEnd(async () => {
    server.kill("SIGKILL");
    await ended;
  });
  const command = async (text: string): Promise<void> => {
    const socket = createConnection(port, "127.0.0.1");
    socket.write(`${text}\r\n`);
    await Promise.race([
      once(socket, "data"),
      once(socket, "close").then(() => Promise.reject(new Error("closed"))),
    ]);
    socket.destroy();
  };
  await eventually(() => {
    // Somebody else would answer.
    if (server.exitCode !== null) throw new Error(`Redis ended with ${server.exitCode}.`);
    return command("PING");
  });
  return { url: `redis://127.0.0.1:${port}`, empty: () => command("FLUSHALL") };
}
