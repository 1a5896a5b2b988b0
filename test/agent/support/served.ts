import { Agent, type AgentOptions, openModel } from "tenterhook/agent";
import { onTestFinished } from "vitest";
import {
  type ModelServer,
  type Reply,
  startModelServer,
} from "../../../src/know/prove/model/model-server.ts";
import { SERVED_MODELS, type ServedModel } from "../../support/model-servers/servers.ts";
import { echo, scratch } from "./agents.ts";

/** The protocols by name. */
export function protocol(name: string): ServedModel {
  const found = SERVED_MODELS.find(([each]) => each === name);
  if (found === undefined) throw new Error(`There is no protocol ${name}.`);
  return found[1];
}

/** An agent whose model is on a server that speaks a provider's protocol; both are closed after the test. */
export async function servedAgent(
  { protocol, model: name, environment: variables }: ServedModel,
  replies: readonly Reply[],
  options: Partial<AgentOptions> = {},
): Promise<{ agent: Agent; server: ModelServer }> {
  const server = await startModelServer(protocol, replies);
  const environment = variables(server);
  const model = await openModel(name, { environment });
  const agent = new Agent({
    model,
    tools: [echo],
    cwd: scratch(),
    limits: { model_retries: 0 },
    ...options,
    environment: { ...environment, ...options.environment },
  });
  onTestFinished(async () => {
    await agent.close();
    await server.close();
  });
  return { agent, server };
}
