import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readdir, readFile, readlink } from "node:fs/promises";
import type { Socket } from "node:net";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { ignore } from "../../core/base/error-text.ts";
import { type KnownProcesses, originOf } from "../person/origin.ts";
import { type Standing, standingOf } from "../person/standing.ts";

/** Who is at the other end of a connection: nobody but a person may hold it. Never rejects. */
export async function whoAnswers(
  socket: Socket,
  agents: KnownProcesses["agents"],
  perl = "/usr/bin/perl",
): Promise<Standing> {
  const peers = await peersOf(socket, perl);
  const standings = await Promise.all(
    peers.map(async (pid) => standingOf(await originOf(pid, { agents, daemon: process.pid }))),
  );
  const isBlind = socket.remotePort === undefined && !existsSync(perl);
  const why = isBlind
    ? `Who sent this one can be seen only with ${perl}, which is missing: install Perl.`
    : "The system does not say who sent this one.";
  const nobody: Standing = { is: "asked", why };
  return standings.find(({ is }) => is !== "person") ?? standings[0] ?? nobody;
}

/**
 * The processes at the other end of a connection of this machine; none when the system does not say. A unix socket is not
 * read any more afterwards: its reply must be the last. Never rejects.
 */
async function peersOf(socket: Socket, perl: string): Promise<readonly number[]> {
  try {
    if (socket.remotePort === undefined) return await unixPeer(socket, perl);
    return await (process.platform === "linux" ? tcpPeers(socket) : lsofPeers(socket));
  } catch {
    return [];
  }
}

/** Node has no call for it. */
const PERL = 'print unpack "i", getsockopt STDIN, $ARGV[0], $ARGV[1]';
/** LOCAL_PEERPID of SOL_LOCAL on macOS, SO_PEERCRED of SOL_SOCKET on Linux. */
const OPTION = process.platform === "darwin" ? ["0", "2"] : ["1", "17"];
/** A person whom nobody knows in this time can't answer, so it is long enough for a busy machine. */
const TIMEOUT_MILLISECONDS = 10_000;

async function unixPeer(socket: Socket, perl: string): Promise<readonly number[]> {
  const asked = spawn(perl, ["-e", PERL, ...OPTION], {
    stdio: [socket, "pipe", "ignore"],
    timeout: TIMEOUT_MILLISECONDS,
  });
  const ended = once(asked, "exit");
  ignore(ended);
  const pid = asked.stdout === null ? 0 : Number(await text(asked.stdout));
  await ended;
  return pid > 0 ? [pid] : [];
}

/** Every process that has the other end open, as the tables of Linux say. */
async function tcpPeers({ remotePort = 0, localPort = 0 }: Socket): Promise<readonly number[]> {
  const ports = [remotePort, localPort].map((port) => port.toString(16).toUpperCase().padStart(4, "0"));
  const line = new RegExp(`^ *\\d+: [0-9A-F]+:${ports[0]} [0-9A-F]+:${ports[1]} 01 (?:\\S+ +){5}(\\d+)`, "m");
  const tables = await Promise.all(
    ["tcp", "tcp6"].map((name) => readFile(`/proc/net/${name}`, "utf8").catch(() => "")),
  );
  const inode = tables.flatMap((table) => line.exec(table)?.[1] ?? [])[0];
  if (inode === undefined) return [];
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const holders = await Promise.all(
    pids.map(async (pid) => ((await holds(pid, inode)) ? [Number(pid)] : [])),
  );
  return holders.flat();
}

async function holds(pid: string, inode: string): Promise<boolean> {
  const folder = `/proc/${pid}/fd`;
  const names = await readdir(folder).catch(() => []);
  const links = await Promise.all(names.map((name) => readlink(`${folder}/${name}`).catch(() => "")));
  return links.includes(`socket:[${inode}]`);
}

async function lsofPeers({ remotePort, localPort }: Socket): Promise<readonly number[]> {
  const args = ["-nP", "-Fpn", `-iTCP@127.0.0.1:${remotePort}`];
  const { stdout } = await promisify(execFile)("lsof", args, { timeout: TIMEOUT_MILLISECONDS });
  const peers = stdout
    .split(/^(?=p)/m)
    .filter((one) => one.includes(`:${remotePort}->127.0.0.1:${localPort}`));
  return peers.map((one) => Number.parseInt(one.slice(1), 10));
}
