import { useState } from "preact/hooks";
import type { AgentView, AnswerReply } from "../../monitor/dashboard/wire.ts";
import { ask } from "../net/ask.ts";

/** How long a second click counts as a yes. */
const SURE_MILLISECONDS = 5000;

/** Sends a message to an agent, or ends its process. */
export function Control({ agent }: { readonly agent: AgentView }) {
  const [text, setText] = useState<string | undefined>();
  const [isSure, setSure] = useState(false);
  const [receipt, setReceipt] = useState<AnswerReply["receipt"] | undefined>();
  const [isBusy, setBusy] = useState(false);
  const path = `agents/${encodeURIComponent(agent.id)}`;
  const give = async (what: "message" | "stop", body: object): Promise<void> => {
    setBusy(true);
    try {
      const reply = await ask<AnswerReply>(`${path}/${what}`, body);
      setReceipt(reply.receipt);
      setText(undefined);
    } catch (error) {
      setReceipt({ kind: "refused", text: error instanceof Error ? error.message : String(error) });
    }
    setSure(false);
    setBusy(false);
  };
  const stop = (): void => {
    if (isSure) return void give("stop", {});
    setSure(true);
    setTimeout(() => setSure(false), SURE_MILLISECONDS);
  };
  return (
    <div class="right control">
      <span class={`receipt ${receipt?.kind ?? ""}`} aria-live="polite">
        {receipt?.text}
      </span>
      {text !== undefined && (
        <form
          class="words"
          onSubmit={(event) => {
            event.preventDefault();
            if (text.trim() !== "") void give("message", { message: text.trim() });
          }}
        >
          <input
            class="field"
            aria-label="Message"
            placeholder={`What ${agent.name} reads next`}
            ref={(field) => field?.focus()}
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
            onKeyDown={({ key }) => key === "Escape" && setText(undefined)}
          />
          <button type="submit" class="btn strong" disabled={isBusy}>
            Send
          </button>
        </form>
      )}
      {text === undefined && agent.can_hear === true && (
        <button type="button" class="btn" onClick={() => setText("")}>
          Send a message
        </button>
      )}
      {agent.can_stop === true && (
        <button type="button" class={`btn${isSure ? " danger" : ""}`} disabled={isBusy} onClick={stop}>
          {isSure ? "Really stop it?" : "Stop"}
        </button>
      )}
    </div>
  );
}
