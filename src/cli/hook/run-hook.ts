import { answer, refusal } from "./answer.ts";
import { ASYNC_FLAG, SUPERVISED_FLAG } from "./startup/flags.ts";
import { readInput } from "./startup/read-input.ts";
import { forSupervisor, newReply, type Reply, writeReply } from "./startup/write-reply.ts";

/** `tenterhook hook`: reads a payload, writes the reply, and only then does the rest. Never rejects. */
export async function runHook(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const reply = newReply();
  let text: string;
  try {
    text = await readInput();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return writeReply(await refusal(`tenterhook could not read the event: ${why}`, environment), reply);
  }
  if (args.includes(ASYNC_FLAG)) {
    const { runAsyncHooks } = await import("./background/async-process.ts");
    await runAsyncHooks(text, environment).catch(() => undefined);
    return 0;
  }
  if (args.includes(SUPERVISED_FLAG)) return runSupervised(text, environment, reply);
  const answered = await answer(text, environment, reply);
  const code = await writeReply(answered.reply, reply);
  await answered.after();
  return code;
}

/** Decides for the process that supervises this one: it gets the reply as a line of JSON. */
async function runSupervised(text: string, environment: NodeJS.ProcessEnv, reply: Reply): Promise<number> {
  const { showLife } = await import("./supervise.ts");
  showLife((sign) => reply.write(1, Buffer.from(sign)));
  const { reply: said, after } = await answer(text, environment, reply, true);
  await writeReply(forSupervisor(said), reply);
  await after();
  return 0;
}
