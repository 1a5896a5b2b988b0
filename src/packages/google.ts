export { createGoogleGenerativeAI } from "@ai-sdk/google";
