import { parseJson } from "../../core/base/json.ts";
import { isSigned, SIGNATURE_HEADER, signature } from "../../node/signature.ts";
import type { TargetOf } from "../../shared/monitor/channels.ts";
import { readChoiceBody } from "../decisions/resolve.ts";
import type { Channel, ChannelPorts, Notice } from "./channel.ts";
import { call, mustBeTaken, type Reply } from "./http.ts";
import { bodyOf } from "./message.ts";
import { missingVariable } from "./variables.ts";

/** Posts decisions to an address, signed. A signed reply may be the answer. */
export function webhookChannel(
  key: string,
  { webhook, secret_env }: TargetOf<"webhook">,
  { environment }: ChannelPorts,
): Channel {
  const secret = secret_env === undefined ? undefined : environment[secret_env];
  const post = async (event: Parameters<typeof bodyOf>[0], notice: Notice, signal: AbortSignal) => {
    const body = bodyOf(event, notice);
    const reply = await call({
      url: webhook,
      headers: {
        "content-type": "application/json",
        "user-agent": "tenterhook",
        "x-tenterhook-delivery": `${notice.id}.${event}`,
        ...(secret === undefined ? {} : { [SIGNATURE_HEADER]: signature(body, secret) }),
      },
      body,
      signal,
    });
    mustBeTaken(reply);
    return reply;
  };
  return {
    type: "webhook",
    key,
    ...missingVariable(environment, secret_env),
    async send(notice, signal) {
      const reply = await post("decision.opened", notice, signal);
      const answer =
        secret !== undefined && isAnswer(reply, secret) ? readChoiceBody(parseJson(reply.text)) : undefined;
      return answer === undefined ? {} : { answer };
    },
    async close(notice, _, signal) {
      const isOpen = notice.decision.state === "open";
      await post(isOpen ? "decision.at_terminal" : "decision.closed", notice, signal);
    },
  };
}

/** Anybody between us and the server could have written a reply without a signature. */
function isAnswer({ text, headers }: Reply, secret: string): boolean {
  const given = headers[SIGNATURE_HEADER];
  return typeof given === "string" && isSigned(text, given, secret);
}
