/** Programs that run shell text from `-c`, a file or standard input. */
export const SHELL_NAMES: ReadonlySet<string> = new Set(
  "sh bash zsh dash ksh ash mksh pdksh fish csh tcsh yash rbash oksh posh elvish nu xonsh osh ysh".split(" "),
);
