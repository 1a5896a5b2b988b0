import type { ChannelType } from "../../shared/monitor/channels.ts";
import type { HumanRequest } from "../../shared/monitor/monitor.ts";
import type { Choice } from "../decisions/resolve.ts";

/** What a person sends, or a button, to say that they are away from their agents' terminals, or back. */
export const AWAY = "/away";

/** An option of a question that can be tapped. */
export interface Button {
  readonly label: string;
  /** Its number, from 1 on; or `/away`, which answers nothing and has the question wait longer. */
  readonly choice: string;
}

export interface Notice {
  /** The same whenever it is sent again. */
  readonly id: string;
  /** Without secrets. */
  readonly decision: HumanRequest;
  /** The index of the question it is about. */
  readonly question: number;
  readonly title: string;
  /** What led to it. */
  readonly context: string;
  /** The question with its options. */
  readonly text: string;
  readonly buttons: readonly Button[];
  readonly several: boolean;
  /** False when nothing waits for an answer here. */
  readonly answerable: boolean;
}

export interface Sent {
  /** How the channel names it, for a reply to it, where that is known only now. */
  readonly ref?: string;
  /** What the receiver answered on the spot. */
  readonly answer?: Choice;
}

export interface Channel {
  readonly type: ChannelType;
  /** Its name in the store: the same as long as its configuration is the same. */
  readonly key: string;
  /** Why it can't work, such as a variable that is not set. */
  readonly problem?: string;
  /** How many buttons a message can have. Absent: one message says all. */
  readonly buttons?: number;
  /** True when its messages need not wait for each other. */
  readonly parallel?: true;
  /** How it names a message, where that is known before it is sent. */
  ref?(notice: Notice): string;
  /** @throws DeliveryError */
  send(notice: Notice, signal: AbortSignal): Promise<Sent>;
  /**
   * Looks whether a message was sent before we were killed. Without it, the message is sent again.
   *
   * @throws DeliveryError
   */
  find?(notice: Notice, signal: AbortSignal): Promise<Sent | undefined>;
  /**
   * Tells that a decision takes no answer here any more, and what has come of it.
   *
   * @throws DeliveryError
   */
  close?(notice: Notice, ref: string | undefined, signal: AbortSignal): Promise<void>;
  /** Takes answers until the signal is aborted. Never rejects. */
  listen?(signal: AbortSignal): Promise<void>;
}

export interface ChannelAnswer {
  readonly decision: string;
  readonly question: number;
  readonly text: string;
  readonly by: string;
  readonly channel: Pick<Channel, "type" | "key">;
}

export interface ChannelReply {
  readonly text: string;
  readonly taken: boolean;
}

export interface ChannelPorts {
  readonly environment: NodeJS.ProcessEnv;
  /** Makes codes that nobody can guess. */
  readonly secret: string;
  readonly log: (line: string) => void;
  answer(answer: ChannelAnswer): Promise<ChannelReply>;
  /** Takes `/away` and `/back`, of somebody whom the channel knows; `undefined` for any other text. */
  presence(text: string): Promise<ChannelReply | undefined>;
  /** The decision and the question that a message of a channel is about. */
  find(
    channel: string,
    ref: string,
  ): Promise<{ readonly decision: string; readonly question: number } | undefined>;
  mark(name: string): Promise<string | undefined>;
  putMark(name: string, value: string): Promise<void>;
  /** Shows why a channel does not work at the moment; `undefined` when it does. */
  report(channel: string, problem: string | undefined): void;
}

export class DeliveryError extends Error {
  /** Milliseconds that the server asks to wait. */
  readonly pause: number | undefined;
  /** True when it makes no sense to try again. */
  readonly final: boolean;

  constructor(
    message: string,
    { pause, final = false }: { pause?: number | undefined; final?: boolean } = {},
  ) {
    super(message);
    this.name = "DeliveryError";
    this.pause = pause;
    this.final = final;
  }
}
