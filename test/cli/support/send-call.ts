import { readlinkSync } from "node:fs";
import { request } from "node:http";
import { buffer } from "node:stream/consumers";
import { CALL_PATH, type CallReply, type SentCall } from "../../../src/hook/daemon/protocol.ts";

let calls = 0;

/** The id of another call. */
export function newCallId(): string {
  calls += 1;
  return `call${String(calls).padStart(24, "0")}-1`;
}

/** What the daemon answers: its status, and the reply of a call that it has decided. */
export interface Sent {
  readonly status: number | undefined;
  readonly reply: CallReply;
}

/** What this process sees of the file system; only Linux has a name for it. */
export const MOUNTS = process.platform === "linux" ? readlinkSync("/proc/self/ns/mnt") : "";

/** Asks a daemon about a call as client.sh does. */
export async function sendCall(socketPath: string, call: Partial<SentCall>, path = CALL_PATH): Promise<Sent> {
  const {
    id = newCallId(),
    cwd = "/",
    pid = process.pid,
    parent = process.ppid,
    mounts = MOUNTS,
    environment = {},
    text = "",
  } = call;
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  const head = [id, cwd, pid, parent, mounts, ...variables].map((part) => `${part}\0`).join("");
  return sendBody(socketPath, `${head}\0${text}`, path);
}

/** Asks a daemon with whatever this is. */
export async function sendBody(socketPath: string, body: string, path = CALL_PATH): Promise<Sent> {
  return new Promise((resolve, reject) => {
    const length = Buffer.byteLength(body);
    const asking = request({ socketPath, path, method: "POST", headers: { "content-length": length } });
    asking.on("error", reject).on("response", (response) => {
      buffer(response).then((bytes) => {
        const errors = Number(response.headers["x-stderr-bytes"] ?? 0);
        const written = bytes.toString("utf8", 0, errors);
        const reply = {
          stderr: written.replace(/\n$/, ""),
          stdout: bytes.toString("utf8", errors),
          exit_code: Number(response.headers["x-exit-code"] ?? 0),
        };
        resolve({ status: response.statusCode, reply });
      }, reject);
    });
    asking.end(body);
  });
}
