/** Its tool that runs a command in the background and tells the model each line; our own agent's Monitor runs none. */
export const MONITOR = "Monitor";
