import { readFileSync } from "node:fs";
import { errorMessage } from "../../../../core/base/error-text.ts";
import { teamClient } from "../../../../monitor/team/client.ts";
import {
  endMembership,
  machineId,
  membershipIn,
  ownName,
  writeMembership,
} from "../../../../monitor/team/membership.ts";
import { readUpTo } from "../../../../node/http.ts";
import { askSecret } from "../../../command-line/ask-line.ts";
import { type CommandRun, type Invocation, textOption } from "../../../command-line/command.ts";
import { mustBePerson } from "../../../command-line/person.ts";
import { progress } from "../../../command-line/screen/progress.ts";
import { usageError } from "../../../command-line/usage-error.ts";
import { startWhenNeeded } from "../daemon/connect.ts";

const MOST_TOKEN_BYTES = 10_000;

/** `tenterhook daemon join URL`: this machine's daemon reports to a team's monitor from now on. */
export const run: CommandRun = async (invocation) => {
  const { screen, json, environment, signal, names } = invocation;
  const url = addressOf(names);
  const ca = textOption(invocation, "ca");
  // Whoever runs that monitor answers for the agents of this machine.
  await mustBePerson(invocation);
  const token = await tokenFor(invocation);
  const id = await machineId(environment);
  const name = textOption(invocation, "name") ?? ownName();
  const known = { url, token, id, ...(ca === undefined ? {} : { ca: textIn(ca) }) };
  const client = teamClient(known);
  const done = json ? () => {} : progress(screen, `Asking ${url}…`);
  const machine = await client.join({ name, id }, signal).finally(() => {
    done();
    client.close();
  });
  await writeMembership({ ...known, machine, joined_at: new Date().toISOString() }, environment);
  await startWhenNeeded(environment);
  return {
    json: { url, machine },
    blocks: [
      `This machine reports to ${url} as ${machine}: its agents, what they ask, and what they did in the last day.`,
      "  Hooks decide here as before. tenterhook daemon leave takes it back.",
    ],
  };
};

/** `tenterhook daemon leave`. */
export const leave: CommandRun = async (invocation) => {
  const { environment } = invocation;
  await mustBePerson(invocation);
  const membership = membershipIn(environment);
  endMembership(environment);
  const url = membership?.url ?? null;
  const left = `This machine no longer reports to ${url}, and its token is deleted here. There, tenterhook daemon token revoke ends the token.`;
  return { json: { left: url }, blocks: [url === null ? "This machine reports to no team." : left] };
};

function addressOf([given, ...more]: readonly string[]): string {
  const usage = "tenterhook daemon join https://HOST:PORT.";
  if (given === undefined || more.length > 0)
    throw usageError(
      "One address is needed, and no token: tokens on a command line are seen by every user.",
      usage,
    );
  if (!URL.canParse(given)) throw usageError(`${JSON.stringify(given)} is not an address.`, usage);
  const { protocol, origin, hostname: host, username } = new URL(given);
  if (username !== "") throw usageError("The address must have no token in it.", usage);
  const isHere = host === "localhost" || host === "[::1]" || host.startsWith("127.");
  if (protocol !== "https:" && !(protocol === "http:" && isHere))
    throw usageError("The token must not cross the network in the clear: the address needs https.", usage);
  return origin;
}

/** From the file that is named, from the terminal, or from standard input. Never from the command line. */
async function tokenFor(invocation: Invocation): Promise<string> {
  const { screen, json, signal } = invocation;
  const file = textOption(invocation, "tokenFile");
  const given =
    file !== undefined
      ? textIn(file)
      : screen.interactive && !json && process.stdin.isTTY === true
        ? ((await askSecret("Token: ", signal)) ?? "")
        : (await readUpTo(process.stdin, MOST_TOKEN_BYTES)).bytes.toString();
  const token = given.trim();
  if (/^thk_[\w-]{20,100}$/.test(token)) return token;
  throw usageError(
    "That is not a token.",
    "A reporter's token begins with thk_; give it on standard input or with --token-file.",
  );
}

/** @throws TenterhookError `usage_error`. */
export function textIn(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw usageError(`${file} can't be read: ${errorMessage(error)}.`);
  }
}
