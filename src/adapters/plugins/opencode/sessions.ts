import type { PluginReply } from "../wire.ts";

/** The part of opencode's client that we use. */
export interface Client {
  readonly session: {
    get(request: { path: { id: string } }): Promise<{ data?: { parentID?: string } }>;
    prompt(request: { path: { id: string }; body: unknown }): Promise<unknown>;
  };
  readonly tui: { showToast(request: { body: unknown }): Promise<unknown> };
  readonly _client: { post(request: { url: string; body: unknown; headers: object }): Promise<unknown> };
}

export class Sessions {
  /** Sessions that a hook kept going. */
  readonly continued = new Set<string>();
  /** Sessions that had a prompt. */
  readonly begun = new Set<string>();
  readonly #parents = new Map<string, string | undefined>();
  /** Context that waits for the next text for the model. */
  readonly #context = new Map<string, string>();
  /** The message with which the user began the turn. */
  readonly #turns = new Map<string, string>();
  readonly #sending = new Set<string>();
  readonly #client: Client;
  readonly #folder: string;
  readonly #headless: boolean;

  constructor(client: Client, folder: string, headless: boolean) {
    this.#client = client;
    this.#folder = folder;
    this.#headless = headless;
  }

  /** The fields of an event that say where it comes from. */
  async fields(sessionID: string): Promise<Readonly<Record<string, unknown>>> {
    const root = await this.#rootOf(sessionID);
    const turn_id = this.#turns.get(sessionID);
    return {
      session_id: root,
      cwd: this.#folder,
      turn_id,
      ...(root === sessionID ? {} : { agent_id: sessionID, parent_agent_id: root }),
    };
  }

  /** A subagent has a session of its own. */
  async #rootOf(sessionID: string): Promise<string> {
    if (!this.#parents.has(sessionID)) {
      const found = await this.#client.session.get({ path: { id: sessionID } }).catch(() => undefined);
      this.#parents.set(sessionID, found?.data?.parentID);
    }
    const parent = this.#parents.get(sessionID);
    return parent === undefined ? sessionID : this.#rootOf(parent);
  }

  /** True for the first prompt of a session. */
  begin(sessionID: string): boolean {
    if (this.begun.has(sessionID)) return false;
    this.begun.add(sessionID);
    return true;
  }

  beginTurn(sessionID: string, messageID: string): void {
    this.#turns.set(sessionID, messageID);
    this.continued.delete(sessionID);
  }

  /** True while the message that arrives is our own. */
  isSending(sessionID: string): boolean {
    return this.#sending.has(sessionID);
  }

  keepContext(sessionID: string, text: string | undefined): void {
    if (text === undefined) return;
    const before = this.#context.get(sessionID);
    this.#context.set(sessionID, before === undefined ? text : `${before}\n\n${text}`);
  }

  takeContext(sessionID: string): string | undefined {
    const text = this.#context.get(sessionID);
    this.#context.delete(sessionID);
    return text;
  }

  /** Gives a session its next input. In a run that goes on, opencode finds it by itself. */
  async send(sessionID: string, text: string): Promise<void> {
    const body = { parts: [{ type: "text", text }], ...(this.#headless ? { noReply: true } : {}) };
    this.#sending.add(sessionID);
    try {
      await this.#client.session.prompt({ path: { id: sessionID }, body });
    } finally {
      this.#sending.delete(sessionID);
    }
  }

  /** Answers a permission dialog. The client's own method has no place for the reason. */
  async answer(id: string, { allow, deny }: PluginReply): Promise<void> {
    if (allow === undefined && deny === undefined) return;
    const body = deny === undefined ? { reply: "once" } : { reply: "reject", message: deny };
    const url = `/permission/${encodeURIComponent(id)}/reply`;
    await this.#client._client.post({ url, body, headers: { "Content-Type": "application/json" } });
  }

  /** Shows messages to the user: stdout belongs to the agent. */
  async show({ messages = [] }: PluginReply): Promise<void> {
    for (const message of messages) {
      if (this.#headless) process.stderr.write(`${message}\n`);
      else
        await this.#client.tui
          .showToast({ body: { title: "Tenterhook", message, variant: "warning" } })
          .catch(() => undefined);
    }
  }
}
