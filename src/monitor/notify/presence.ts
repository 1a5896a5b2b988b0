import { comeBack, goAway } from "../report/away.ts";
import type { ChannelReply } from "./channel.ts";

/** What a person sends, or a button, to say that they are away from their agents' terminals, or back. */
export const AWAY = "/away";
const BACK = "/back";

/**
 * Takes such a word; `undefined` for any other text.
 *
 * @throws the file system's error.
 */
export async function takePresence(
  text: string,
  environment: NodeJS.ProcessEnv,
): Promise<ChannelReply | undefined> {
  const word = text.trim().toLowerCase();
  if (word === AWAY) {
    await goAway(environment);
    return { text: `You are away: questions wait for your answer here. ${BACK} ends it.`, taken: true };
  }
  if (word !== BACK) return undefined;
  comeBack(environment);
  return { text: "You are back: agents show their own dialogs soon.", taken: true };
}
