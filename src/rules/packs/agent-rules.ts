import { type PackRule, runsAny, textContains, touchesAny } from "./pack.ts";

/** Agents that have commands for servers of tools. */
const WITH_SERVERS =
  "{claude,codex,gemini,qwen,copilot,cursor-agent,opencode,kilo,kilocode,amp,auggie,cline,droid,goose,crush,kimi}";

const EDITORS = "{code,code-insiders,codium,cursor,windsurf}";

/** What gives an agent more to work with, or fewer to ask. */
export const AGENT_RULES: readonly PackRule[] = [
  {
    id: "unguarded-agent",
    when: runsAny([
      "{claude,opencode,kilo,kilocode} --dangerously-skip-permissions",
      "claude --allow-dangerously-skip-permissions",
      "claude --permission-mode bypassPermissions",
      "codex --dangerously-bypass-*",
      "codex -s danger-full-access",
      "codex -c *sandbox_mode=*danger*",
      "{gemini,qwen,crush,cline,aider} -y",
      "{codex,gemini,qwen,copilot,cursor-agent,crush,cline,kimi} --yolo",
      "{gemini,qwen} --approval-mode yolo",
      "copilot --allow-all*",
      "cursor-agent -f",
      "amp --dangerously-allow-all",
      "droid --skip-permissions-unsafe",
      "{kilo,kilocode} --auto",
      "aider --yes-always",
      "{kiro-cli,q} --trust-all-tools",
      "vibe --auto-approve",
      "droid --auto high",
      "claude --allowedTools {Bash,Bash([*]*,[*]}",
      "claude --allowed-tools {Bash,Bash([*]*,[*]}",
      "{gemini,qwen} --allowed-tools {run_shell_command,ShellTool}",
      "copilot --allow-tool {shell,shell([*]*}",
    ]),
    reason: "This starts an agent that asks nobody.",
    instead: "Start it with its permissions, and allow what it needs.",
    stops: ["claude -p x --dangerously-skip-permissions", "gemini --yolo -p x"],
    passes: ["claude -p x", "gemini -p x", "codex exec -s workspace-write x"],
  },
  {
    id: "agent-tools",
    when: [
      runsAny([
        `${WITH_SERVERS} mcp {add,add-json,add-from-claude-desktop,import}`,
        `${EDITORS} --add-mcp`,
        "claude --mcp-config",
        "codex -c mcp_servers*",
        "copilot --additional-mcp-config",
        "cursor-agent --approve-mcps",
        "add-mcp",
        "{npx,bunx,pnpx} @smithery/cli* install",
        "smithery install",
      ]),
      touchesAny("writes", [
        "**/{.mcp,mcp,mcp_config,mcp-config,mcp_settings,cline_mcp_settings,claude_desktop_config}.json",
      ]),
    ].join(" or "),
    reason: "This gives agents a server of tools, which runs code and sees what they work on.",
    instead: "Tell the user which server it is, and what for.",
    stops: [
      "claude mcp add db -- npx db-server",
      { tool_name: "Write", tool_input: { file_path: "/project/.mcp.json", content: "{}" } },
    ],
    passes: ["claude mcp list", "cat .mcp.json"],
  },
  {
    id: "runs-when-opened",
    when: `${touchesAny("writes", ["**/{tasks,settings,devcontainer}.json", "**/*.code-workspace"])} and (${textContains(["folderOpen", "allowAutomaticTasks", "initializeCommand"])})`,
    reason: "This runs a command as soon as somebody opens the folder in an editor.",
    instead: "Make it a task that the user starts.",
    stops: [
      `echo '{"tasks":[{"runOptions":{"runOn":"folderOpen"}}]}' > .vscode/tasks.json`,
      {
        tool_name: "Write",
        tool_input: { file_path: "/project/.vscode/tasks.json", content: '{"runOn":"folderOpen"}' },
      },
    ],
    passes: [{ tool_name: "Write", tool_input: { file_path: "/project/.vscode/tasks.json", content: "{}" } }],
  },
  {
    id: "terminal-input",
    when: [
      runsAny([
        "{tmux,tmate,byobu} {send,send-keys,pasteb,paste-buffer}",
        "{tmux,tmate,byobu} {pipep,pipe-pane} -I",
        "{vim,gvim,nvim} --remote-send",
        "{vim,gvim,nvim} --remote-expr",
        "gdb -p * -ex *[(]*",
        "node inspect -p",
        "screen -X {stuff,paste,readreg,exec,eval}",
        "zellij action {write,write-chars}",
        "{kitty,kitten} @ {send-text,send-key,launch}",
        "wezterm cli {send-text,spawn,split-pane}",
        "xdotool {type,key}",
        "{ydotool,wtype,dotool,cliclick,writevt,ttyecho,reptyr}",
        "qdbus * *{runCommand,sendText}*",
        // They open a window of their own, whatever they are given.
        "{xterm,uxterm,urxvt,gnome-terminal,mate-terminal,xfce4-terminal,lxterminal,konsole,tilix,guake,tilda,terminator,kgx,ptyxis,alacritty,ghostty,foot,x-terminal-emulator,xdg-terminal-exec,ttyd,gotty} !--version",
        "wezterm start",
        "open -a {Terminal,iTerm,iTerm2,Warp,Ghostty,kitty,Alacritty,WezTerm}*",
        `${EDITORS} {chat,tunnel,serve-web,--open-url}`,
        `${EDITORS} --open-url`,
        "{docker,podman,nerdctl} exec *{hostname,HOSTNAME}*",
      ]),
      `(${runsAny(["python*", "perl", "ruby", "node", "gcc", "cc"])} and command contains "TIOCSTI")`,
      `(command runs "osascript" and (${["keystroke", "do script", "write text"].map((text) => `command contains "${text}"`).join(" or ")}))`,
    ].join(" or "),
    reason: "This types into a terminal or opens one, where it could pass for the user.",
    instead: "Run the command itself.",
    stops: ["tmux send-keys -t 0 y Enter", "gnome-terminal -- ./deploy.sh"],
    passes: ["tmux capture-pane -pt dev", "tmux new-session -d -s dev 'npm run dev'", "code ."],
  },
];
