import { readInput } from "../../node/read-input.ts";
import { answer, refusal } from "./answer.ts";
import { ASYNC_FLAG, CALL_FLAG } from "./startup/flags.ts";
import { NEW_REPLY, writeReply } from "./startup/write-reply.ts";

/** `tenterhook hook`: reads a payload, writes the reply, and only then does the rest. Never rejects. */
export async function runHook(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const reply = { ...NEW_REPLY };
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
  const call = args.includes(CALL_FLAG) ? args[args.indexOf(CALL_FLAG) + 1] : undefined;
  const answered = await answer(text, environment, reply, call);
  const code = await writeReply(answered.reply, reply);
  await answered.after();
  return code;
}
