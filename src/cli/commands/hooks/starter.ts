/** The configuration that `init` writes. */
export function starterText(schema: string): string {
  return `# yaml-language-server: $schema=${schema}
#
# Hooks of this project. tenterhook list shows what is in force, tenterhook validate checks this file.
# What is for one machine only goes into hooks.local.yaml beside it.

hooks:
  # Packs that ship with tenterhook. Others: git-safety, no-network.
  use: [safe-shell, protect-secrets]

  # Seconds a hook has when it does not say itself.
  timeout: 30

  # Hooks that are off, by name. tenterhook disable NAME adds to it.
  disabled: []

  definitions:
    # Rules decide without starting a program. The first that fits counts.
    - name: ask-before-publishing
      description: Publishing can't be taken back, so a person is asked.
      type: inline
      matcher: { events: [PreToolUse], tools: [Bash] }
      rules: |
        command runs "npm publish" and not command contains "--dry-run" -> ask("Publish to the registry?")
      examples:
        - { match: npm publish --access public }
        - { not_match: npm publish --dry-run }

    # A program gets the event as JSON on stdin. Exit 2 refuses, with stderr as the reason; on Stop, the agent goes on.
    # - name: tests-pass
    #   type: command
    #   command: npm test >&2 || exit 2
    #   matcher: { events: [Stop] }
    #   timeout: 300
`;
}
