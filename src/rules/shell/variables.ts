/** An assignment to a variable whose value is a command that other programs run. */
export const SETS_COMMAND =
  /^(?:GIT_SSH_COMMAND|GIT_EXTERNAL_DIFF|GIT_PAGER|GIT_EDITOR|GIT_SEQUENCE_EDITOR|GIT_ASKPASS|PROMPT_COMMAND|PAGER|MANPAGER|LESSOPEN|EDITOR|VISUAL|BROWSER|SSH_ASKPASS|SUDO_ASKPASS|RSYNC_RSH|BORG_RSH)=/;

/** An assignment that changes which programs later commands start, and so is listed as a command of its own. */
export const MATTERS =
  /^(?:PATH|IFS|ENV|BASH_ENV|SHELL|PS4|CDPATH|GLOBIGNORE|SHELLOPTS|BASHOPTS|LD_\w+|DYLD_\w+|NODE_OPTIONS|PYTHONPATH|PYTHONSTARTUP|PERL5OPT|PERL5LIB|RUBYOPT|GIT_\w+|PROMPT_COMMAND|PAGER|EDITOR|VISUAL)=/;

/** A setting of git, given with `-c`, whose value is a command. */
export const GIT_COMMAND_SETTING =
  /^(?:core\.(?:pager|editor|sshCommand|fsmonitor|askPass|gitProxy)|sequence\.editor|diff\.(?:external|\w+\.textconv)|pager\.\w+|(?:alias\.[\w-]+|credential\.helper)=!|gpg\.program|merge\.\w+\.driver|filter\.\w+\.\w+)=?(.*)$/s;
