export { Agent } from "@earendil-works/pi-agent-core";
export { createAssistantMessageEventStream } from "@earendil-works/pi-ai";
export { Type } from "typebox";
