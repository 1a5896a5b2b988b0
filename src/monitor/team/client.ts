import { errorMessage } from "../../core/base/error-text.ts";
import { type ErrorCode, TenterhookError } from "../../core/base/errors.ts";
import { isRecord, parseJson } from "../../core/base/json.ts";
import { openConnections, readUpTo, sendRequest } from "../../node/http.ts";
import { withinTime } from "../../node/process/deadline.ts";
import type { MonitorEvent } from "../../shared/monitor/events.ts";
import type { HumanRequest } from "../../shared/monitor/monitor.ts";
import type { PassedAnswer } from "../monitor.ts";
import type { Membership } from "./membership.ts";
import type { DecisionReceipt } from "./receipts.ts";
import type { Machine } from "./tokens.ts";

/** Says which machine sends a request: a token works on one. */
export const MACHINE_HEADER = "x-tenterhook-machine";

export interface PassedAnswers {
  readonly answers: readonly PassedAnswer[];
  /** The ids of its decisions that the team's monitor takes for open. */
  readonly open: readonly string[];
}

const TIMEOUT_MILLISECONDS = 20_000;
const MOST_BYTES = 8_000_000;

/**
 * The team's monitor, for a machine that reports to it. Every function throws TenterhookError `monitor_unreachable`,
 * `not_allowed` for a token that does not allow it, `usage_error` for what the server can't read.
 */
export function teamClient({ url, token, id, ca }: Pick<Membership, "url" | "token" | "id" | "ca">) {
  const connections = openConnections(new URL(url), ca);
  const ask = async (
    method: "GET" | "POST",
    path: string,
    body: unknown,
    signal: AbortSignal,
    milliseconds = TIMEOUT_MILLISECONDS,
  ): Promise<Readonly<Record<string, unknown>>> => {
    const send = async (until: AbortSignal): Promise<Readonly<Record<string, unknown>>> => {
      const reply = await sendRequest({
        url: new URL(path, url),
        method,
        headers: {
          authorization: `Bearer ${token}`,
          [MACHINE_HEADER]: id,
          "content-type": "application/json",
        },
        signal: until,
        connections,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const { bytes } = await readUpTo(reply, MOST_BYTES);
      const value = parseJson(bytes.toString());
      if (reply.statusCode !== 200) throw refusalIn(value, reply.statusCode ?? 0, url);
      if (isRecord(value)) return value;
      throw new TenterhookError("monitor_unreachable", `${url} is no monitor of Tenterhook.`);
    };
    const away = (problem: string, cause: unknown): Error =>
      new TenterhookError("monitor_unreachable", `${url} does not answer: ${problem}.`, {
        cause,
        hint: AWAY,
      });
    try {
      return await withinTime(milliseconds, signal, send, (cause) => away("it takes too long", cause));
    } catch (cause) {
      throw cause instanceof TenterhookError ? cause : away(errorMessage(cause), cause);
    }
  };
  return {
    about: (signal: AbortSignal) => ask("GET", "/v1/team", undefined, signal),
    /** @returns the name that the machine has there. */
    async join(machine: Machine, signal: AbortSignal): Promise<string> {
      const { machine: name } = await ask("POST", "/v1/team/join", machine, signal);
      return typeof name === "string" ? name : machine.name;
    },
    async send(events: readonly MonitorEvent[], signal: AbortSignal): Promise<void> {
      await ask("POST", "/v1/team/events", { events }, signal);
    },
    async answers(waitSeconds: number, signal: AbortSignal): Promise<PassedAnswers> {
      const milliseconds = waitSeconds * 1000 + TIMEOUT_MILLISECONDS;
      const reply = await ask("GET", `/v1/team/answers?wait=${waitSeconds}`, undefined, signal, milliseconds);
      const { answers, open } = reply;
      return {
        answers: Array.isArray(answers) ? answers.filter(isPassedAnswer) : [],
        open: Array.isArray(open) ? open.filter((one) => typeof one === "string") : [],
      };
    },
    async receipts(receipts: readonly DecisionReceipt[], signal: AbortSignal): Promise<void> {
      await ask("POST", "/v1/team/receipts", { receipts }, signal);
    },
    close: () => connections.destroy(),
  };
}

export type TeamClient = ReturnType<typeof teamClient>;

const AWAY = "Check the address and the network. A certificate of your own needs --ca FILE.";

const CODES: ReadonlyMap<number, ErrorCode> = new Map([
  [400, "usage_error"],
  [413, "usage_error"],
  [401, "not_allowed"],
  [403, "not_allowed"],
]);

function refusalIn(value: unknown, status: number, url: string): TenterhookError {
  const { message, hint } = isRecord(value) && isRecord(value.error) ? value.error : {};
  const text = typeof message === "string" ? message : `it answers with ${status}.`;
  const options = typeof hint === "string" ? { hint } : {};
  return new TenterhookError(CODES.get(status) ?? "monitor_unreachable", `${url}: ${text}`, options);
}

/** The answer of a decision as it travels to the machine that asked. */
export function passedAnswer({ id, call_digest: call, resolved }: HumanRequest): PassedAnswer | undefined {
  if (resolved === undefined) return undefined;
  const { answer, by, channel } = resolved;
  return { id, answer, by, channel, call };
}

export function isPassedAnswer(value: unknown): value is PassedAnswer {
  if (!isRecord(value)) return false;
  const { id, answer, by, channel, call = "" } = value;
  return answer !== undefined && [id, by, channel, call].every((one) => typeof one === "string");
}
