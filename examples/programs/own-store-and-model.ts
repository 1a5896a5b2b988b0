// A store and a model of your own: what an agent needs of them, and no more.
import { Agent, type AgentMessage, type AgentModel, type AgentStore } from "tenterhook/agent";

const stored = new Map<string, AgentMessage[]>();

const store: AgentStore = {
  append: (message, { agent_id }) => {
    stored.set(agent_id, [...(stored.get(agent_id) ?? []), message]);
  },
  load: async (agent_id) => {
    const messages = stored.get(agent_id);
    if (messages === undefined) return undefined;
    const time = new Date().toISOString();
    const metadata = {
      agent_id,
      session_id: agent_id,
      status: "complete",
      created_at: time,
      updated_at: time,
    };
    return { metadata: { ...metadata, status: "complete" }, messages };
  },
};

/** A model that counts its requests. It reports no usage. */
let requests = 0;
const model: AgentModel = {
  provider: "own",
  modelId: "counting",
  doStream: async () => {
    requests += 1;
    const said = `This is request ${requests}.`;
    async function* pieces() {
      for (const delta of said.split(/(?<= )/)) yield { type: "text-delta", id: "text", delta } as const;
      yield { type: "finish", finishReason: "stop" } as const;
    }
    return { stream: pieces() };
  },
};

const first = new Agent({ model, tools: [], store });
const { agent_id, text } = await first.run("Hello.");
await first.close();
console.log(text);

const again = await Agent.resume(agent_id, { model, tools: [], store });
console.log((await again.run("And now?")).text);
await again.close();
console.log(`${stored.get(agent_id)?.length ?? 0} messages`);
