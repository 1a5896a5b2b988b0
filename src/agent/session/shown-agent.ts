import type { AgentView } from "../../core/ports.ts";
import { modelName } from "../model/agent-model.ts";
import type { AgentSession } from "./session.ts";

/** The agent as hooks see it, read when one looks. */
export class ShownAgent implements AgentView {
  readonly #session: AgentSession;

  constructor(session: AgentSession) {
    this.#session = session;
  }

  get id(): string {
    return this.#session.identity.agent_id;
  }

  get type(): string {
    return this.#session.identity.agent_type;
  }

  get model(): string {
    const { model } = this.#session;
    return model === undefined ? "" : modelName(model);
  }

  get messages(): readonly unknown[] {
    return this.#session.conversation.seen();
  }

  /** What the engine copies for a hook. */
  toJSON(): AgentView {
    const { id, type, model, messages } = this;
    return { id, type, model, messages };
  }
}
