/** An assignment to a variable whose value is a command that other programs run. */
export const SETS_COMMAND =
  /^(?:GIT_SSH_COMMAND|GIT_EXTERNAL_DIFF|GIT_PAGER|GIT_EDITOR|GIT_SEQUENCE_EDITOR|GIT_ASKPASS|PROMPT_COMMAND|PAGER|MANPAGER|LESSOPEN|EDITOR|VISUAL|BROWSER|SSH_ASKPASS|SUDO_ASKPASS|RSYNC_RSH|BORG_RSH)=/;

/** An assignment to a variable that a shell expands before it shows it. */
export const SETS_PROMPT = /^PS4=/;

/** An assignment that gives another shell a function, which is not followed. */
export const SETS_FUNCTION = /^BASH_FUNC_[^=]*=/;

/** One of git's settings, when it holds a command: an alias, a helper, or more than a word. */
export const SETS_GIT = /^GIT_CONFIG_VALUE_\d+=(?:!|.*\s)/s;

/** An assignment that changes which programs later commands start, and so is listed as a command of its own. */
export const MATTERS =
  /^(?:PATH|IFS|ENV|BASH_ENV|SHELL|PS4|CDPATH|GLOBIGNORE|SHELLOPTS|BASHOPTS|LD_\w+|DYLD_\w+|NODE_OPTIONS|PYTHONPATH|PYTHONSTARTUP|PERL5OPT|PERL5LIB|RUBYOPT|GIT_\w+|PROMPT_COMMAND|PAGER|EDITOR|VISUAL)=/;
