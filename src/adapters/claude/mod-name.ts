/** The name of our own plug-in; Claude Code calls it `tenterhook@` and where it comes from. */
export const MOD_NAME = "tenterhook";
