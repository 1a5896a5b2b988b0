/** The agent: a complete loop whose every step passes the hooks. */
export { Agent } from "./agent/agent.ts";
export { scriptedModel } from "./models/scripted-model.ts";
