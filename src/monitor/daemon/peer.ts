import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import type { Socket } from "node:net";
import { text } from "node:stream/consumers";
import { ignore } from "../../core/base/error-text.ts";
import { type KnownProcesses, originOf } from "../person/origin.ts";
import { type Standing, standingOf } from "../person/standing.ts";

/**
 * Who is at the other end of a unix socket: nobody but a person may hold it. The socket is not read any more afterwards: its
 * reply must be the last. Never rejects.
 */
export async function whoAnswers(
  socket: Socket,
  agents: KnownProcesses["agents"],
  {
    perl = "/usr/bin/perl",
    look = originOf,
  }: { readonly perl?: string; readonly look?: typeof originOf } = {},
): Promise<Standing> {
  const peer = await peerOf(socket, perl).catch(() => 0);
  if (peer > 0) return standingOf(await look(peer, { agents, daemon: process.pid }));
  const why = existsSync(perl)
    ? "The system does not say who sent this one."
    : `Who sent this one can be seen only with ${perl}, which is missing: install Perl.`;
  return { is: "asked", why };
}

/** Node has no call for it. */
const PERL = 'print unpack "i", getsockopt STDIN, $ARGV[0], $ARGV[1]';
/** LOCAL_PEERPID of SOL_LOCAL on macOS, SO_PEERCRED of SOL_SOCKET on Linux. */
const OPTION = process.platform === "darwin" ? ["0", "2"] : ["1", "17"];
/** A person whom nobody knows in this time can't answer, so it is long enough for a busy machine. */
const TIMEOUT_MILLISECONDS = 10_000;

async function peerOf(socket: Socket, perl: string): Promise<number> {
  const asked = spawn(perl, ["-e", PERL, ...OPTION], {
    stdio: [socket, "pipe", "ignore"],
    // Variables such as PERL5OPT change what it prints, and an agent may have started the daemon.
    env: {},
    timeout: TIMEOUT_MILLISECONDS,
  });
  const ended = once(asked, "exit");
  ignore(ended);
  const pid = asked.stdout === null ? 0 : Number(await text(asked.stdout));
  await ended;
  return pid;
}
