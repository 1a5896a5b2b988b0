/** The screens of the command line. Commands load this file only when they show one: it brings Ink along. */
export { markdownLines } from "./cells/draw/markdown.ts";
export { newConversation } from "./chat/commands.ts";
export { showChat } from "./chat/show-chat.tsx";
export { showMenu } from "./menu/menu.tsx";
export { watchedRun } from "./run/watched-run.ts";
export { showTop } from "./top/top.tsx";
