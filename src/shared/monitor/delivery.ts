/**
 * A message about a decision on one channel. `due`: to be sent. `sending`: it may have been sent. `sent`: the decision
 * was open then. `done`: nothing is left to do. `failed`: it could not be sent.
 */
export interface Delivery {
  readonly decision: string;
  readonly channel: string;
  /** Some channels need several messages for a decision. */
  readonly part: number;
  /** The index of the question that it is about. */
  readonly question: number;
  readonly state: "due" | "sending" | "sent" | "done" | "failed";
  /** How the channel names the message. */
  readonly ref?: string;
  readonly attempts: number;
  /** Not to be tried before this time. */
  readonly not_before?: string;
}
