import { createInterface } from "node:readline";
import { isRecord, listOf, parseJson } from "../../core/base/json.ts";
import { startDeadline } from "../../node/process/deadline.ts";
import { startProgram } from "../../node/process/start-program.ts";
import type { AskedTrust } from "../integration.ts";
import { isHookCommand } from "../settings/hook-command.ts";

/** Without an answer our own reckoning counts, which may be wrong: a busy machine gets time. */
const MOST_MILLISECONDS = 30_000;
const INITIALIZE = 1;
const LIST = 2;

/**
 * Asks Codex itself which of our entries it skips: its app server lists all hooks with its trust in them. `undefined` when
 * it does not say, as versions without that list. Never rejects.
 */
export async function askCodex({
  file,
  program,
  cwd,
  environment,
  signal,
}: AskedTrust): Promise<readonly string[] | undefined> {
  try {
    const answer = await listHooks({ program, cwd, environment, signal });
    const { data } = isRecord(answer) ? answer : {};
    const hooks = listOf(data).flatMap((folder) => (isRecord(folder) ? listOf(folder.hooks) : []));
    const ours = hooks
      .filter(isRecord)
      .filter((one) => one.sourcePath === file && isHookCommand(one.command));
    // It has not read the file, so it has nothing to say about it.
    if (ours.length === 0) return undefined;
    return ours.flatMap(({ eventName, trustStatus, enabled }) =>
      enabled === false || SKIPPED.has(trustStatus)
        ? [String(eventName).replace(/^./, (first) => first.toUpperCase())]
        : [],
    );
  } catch {
    return undefined;
  }
}

const SKIPPED: ReadonlySet<unknown> = new Set(["untrusted", "modified"]);

async function listHooks({ program, cwd, environment, signal }: Omit<AskedTrust, "file">): Promise<unknown> {
  const { child, terminate } = await startProgram(
    { file: program, args: ["app-server"], cwd, environment },
    "pipe",
  );
  const { stdin, stdout } = child;
  if (stdout === null) return undefined;
  const send = (message: object) => stdin?.write(`${JSON.stringify(message)}\n`);
  const end = () => void terminate();
  const deadline = startDeadline(signal, MOST_MILLISECONDS);
  deadline.signal.addEventListener("abort", end, { once: true });
  child.stderr?.resume();
  stdin?.on("error", () => undefined);
  try {
    send({
      id: INITIALIZE,
      method: "initialize",
      params: { clientInfo: { name: "tenterhook", version: "1" } },
    });
    // It answers nothing once its stdin is closed.
    for await (const line of createInterface({ input: stdout })) {
      const message = parseJson(line);
      if (!isRecord(message)) continue;
      if (message.id === LIST) return message.result;
      if (message.id !== INITIALIZE) continue;
      send({ method: "initialized" });
      send({ id: LIST, method: "hooks/list", params: { cwds: [cwd] } });
    }
    return undefined;
  } finally {
    deadline.end();
    await terminate();
  }
}
