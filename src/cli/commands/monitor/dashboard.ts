import { once } from "node:events";
import { PLACES } from "../../../node/places.ts";
import { type CommandRun, flagOption } from "../../command-line/command.ts";
import { dim } from "../../command-line/screen/text.ts";
import { connected, startAlone } from "./daemon/connect.ts";

export const run: CommandRun = async (invocation) => {
  const { json, environment } = invocation;
  const client = await connected(invocation);
  const url = await client.dashboard();
  const isOpened = !json && flagOption(invocation, "open") && (await openBrowser(url, environment));
  const opened = isOpened ? "Opened in your browser. " : "";
  return {
    json: { url },
    blocks: [`  ${url}`, dim(`  ${opened}The link logs in once, within five minutes.`)],
  };
};

/** Resolves to false on a machine without a program that opens links. */
function openBrowser(url: string, environment: NodeJS.ProcessEnv): Promise<boolean> {
  const [file, ...args] = PLACES.opener;
  return once(startAlone({ file, args: [...args, url] }, environment), "spawn").then(
    () => true,
    () => false,
  );
}
