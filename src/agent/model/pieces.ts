/** The pieces of an answer that the loop reads, each with its texts. The AI SDK's stream parts have them too. */
export const PIECES = {
  "text-start": ["id"],
  "text-delta": ["id", "delta"],
  "text-end": ["id"],
  "reasoning-start": ["id"],
  "reasoning-delta": ["id", "delta"],
  "reasoning-end": ["id"],
  "tool-input-start": ["id", "toolName"],
  "tool-input-delta": ["id", "delta"],
  "tool-input-end": ["id"],
  "tool-call": ["toolCallId", "toolName", "input"],
  finish: [],
  error: [],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** The other parts of the AI SDK's streams, which the loop does not read. */
export const UNREAD_PIECES = [
  "stream-start",
  "response-metadata",
  "tool-result",
  "tool-approval-request",
  "file",
  "reasoning-file",
  "source",
  "custom",
  "ping",
  "raw",
] as const;

type Texts<Type extends keyof typeof PIECES> = Readonly<Record<(typeof PIECES)[Type][number], string>>;

interface OwnFields {
  readonly finish: {
    readonly finishReason: FinishWord | { readonly unified: FinishWord; readonly raw?: string | undefined };
    readonly usage?: PieceUsage | undefined;
  };
  readonly error: { readonly error: unknown };
}

/** How an answer may end. */
export const FINISH_WORDS = [
  "stop",
  "length",
  "content-filter",
  "tool-calls",
  "error",
  "interrupted",
  "other",
  "unknown",
] as const;

type FinishWord = (typeof FINISH_WORDS)[number];

/** Tokens as a number, or with what they were: `cacheRead` and `reasoning` count for the price. */
interface PieceUsage {
  readonly inputTokens?: Tokens;
  readonly outputTokens?: Tokens;
}

type Tokens =
  | number
  | {
      readonly total?: number | undefined;
      readonly cacheRead?: number | undefined;
      readonly cacheWrite?: number | undefined;
      readonly noCache?: number | undefined;
      readonly text?: number | undefined;
      readonly reasoning?: number | undefined;
    }
  | undefined;

/**
 * A piece of an answer, as the AI SDK's stream parts are. `input` of a `tool-call` is JSON as text. The last piece is
 * `finish`: an answer without one was cut off.
 */
export type ModelPiece =
  | {
      [Type in keyof typeof PIECES]: {
        readonly type: Type;
        readonly providerMetadata?: unknown;
      } & Texts<Type> &
        (Type extends keyof OwnFields ? OwnFields[Type] : unknown);
    }[keyof typeof PIECES]
  | { readonly type: (typeof UNREAD_PIECES)[number] };
