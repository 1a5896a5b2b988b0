import { type CommandRun, flagOption } from "../../command-line/command.ts";
import { connected, startAlone } from "./daemon/connect.ts";

export const run: CommandRun = async (invocation) => {
  const { screen, json, environment } = invocation;
  const client = await connected(invocation);
  const url = await client.dashboard();
  const opens = !json && flagOption(invocation, "open");
  if (opens) {
    // A machine without a browser shows the link alone.
    const [file, ...args] = OPENERS[process.platform] ?? ["xdg-open"];
    startAlone({ file, args: [...args, url] }, environment);
  }
  if (json) screen.json({ url });
  else
    screen.print(
      `  ${url}`,
      screen.paint.dim(
        `  ${opens ? "Opened in your browser. " : ""}The link logs in once, within five minutes.`,
      ),
    );
};

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};
