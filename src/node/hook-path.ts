/** Where agents ask the daemon by HTTP; the agent's name follows. */
export const HOOK_PATH = "/tenterhook/hook/";
