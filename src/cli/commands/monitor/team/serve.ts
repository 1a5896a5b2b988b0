import type { DaemonOptions } from "../../../../monitor/daemon/daemon.ts";
import { flagOption, type Invocation, textOption } from "../../../command-line/command.ts";
import { usageError } from "../../../command-line/usage-error.ts";
import { stopDaemon } from "../daemon/connect.ts";
import { runDaemon } from "../daemon/foreground.ts";
import { textIn } from "./join.ts";

/** `tenterhook daemon serve`: this process is the daemon, and other machines reach it. */
export async function run(invocation: Invocation): Promise<void> {
  const { screen, json, environment, signal } = invocation;
  const address = addressOf(textOption(invocation, "listen"));
  const [cert, key] = ["tlsCert", "tlsKey"].map((name) => {
    const file = textOption(invocation, name);
    return file === undefined ? undefined : textIn(file);
  });
  if ((cert === undefined) !== (key === undefined))
    throw usageError("A certificate needs its key.", "Give both, --tls-cert and --tls-key.");
  const own = cert === undefined || key === undefined ? undefined : { cert, key };
  if (own === undefined && !isLoopback(address.host))
    throw usageError(
      `Tokens must not cross the network in the clear: ${address.host} needs TLS.`,
      "Give --tls-cert and --tls-key, or listen at 127.0.0.1 with --tls-proxy, behind a server that has TLS.",
    );
  const tls = own ?? (flagOption(invocation, "tlsProxy") ? "proxy" : undefined);
  await stopDaemon(environment, signal);
  await runDaemon(invocation, {
    serve: { ...address, tls },
    onStart: ({ serves = "", pid }) => {
      if (json) screen.json({ url: serves, pid });
      else
        screen.print(
          `The daemon serves your team at ${serves}, process ${pid}. Ctrl-C ends it.`,
          "  tenterhook daemon token create --role reporter makes a token for a machine, which joins with",
          `  tenterhook daemon join ${serves}`,
        );
    },
  });
}

function addressOf(given: string | undefined): Pick<NonNullable<DaemonOptions["serve"]>, "host" | "port"> {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:\s]+)):(\d{1,5})$/.exec(given ?? "") ?? [];
  const host = bracketed ?? plain;
  if (host === undefined || Number(port) > 65_535)
    throw usageError("--listen needs an address and a port.", "Such as --listen 0.0.0.0:7443.");
  return { host, port: Number(port) };
}

/** True for an address that only this machine reaches. */
function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}
