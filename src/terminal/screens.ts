/**
 * The screens of the command line. Commands load this file only when they show one: it brings Ink and React along, which users do
 * not install. A screen is functions of its state, from a key to the next one and from a size to lines, so tests need no terminal.
 */
export { markdownLines } from "./cells/draw/markdown.ts";
export { newConversation } from "./chat/commands.ts";
export { showChat } from "./chat/show-chat.tsx";
export { showMenu } from "./menu/menu.tsx";
export { watchedRun } from "./run/watched-run.ts";
export { showTop } from "./top/top.tsx";
