import type { TargetOf } from "../../shared/monitor/channels.ts";
import type { Channel, ChannelPorts } from "./channel.ts";
import { outputOf } from "./command.ts";
import { fitted } from "./message.ts";

const SECONDS = 15;
const MOST_TEXT = 400;

interface Shown {
  readonly title: string;
  readonly text: string;
}

/** The program that shows a notification. Title and text are arguments or variables, never part of a script. */
interface DesktopProgram {
  readonly file: string;
  readonly args: readonly string[];
  readonly variables?: Readonly<Record<string, string>>;
}

const TOAST = `
[void][Windows.UI.Notifications.ToastNotificationManager, Windows.UI.Notifications, ContentType = WindowsRuntime]
$toast = [Windows.UI.Notifications.ToastNotificationManager]::GetTemplateContent(1)
$texts = $toast.GetElementsByTagName("text")
[void]$texts.Item(0).AppendChild($toast.CreateTextNode($env:TENTERHOOK_TITLE))
[void]$texts.Item(1).AppendChild($toast.CreateTextNode($env:TENTERHOOK_TEXT))
$notifier = [Windows.UI.Notifications.ToastNotificationManager]::CreateToastNotifier("Tenterhook")
$notifier.Show([Windows.UI.Notifications.ToastNotification]::new($toast))
`;

export const DESKTOPS: Readonly<Partial<Record<NodeJS.Platform, (shown: Shown) => DesktopProgram>>> = {
  linux: ({ title, text }) => ({
    file: "notify-send",
    // Servers may read the text as markup.
    args: ["--app-name=tenterhook", "--", title, text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")],
  }),
  darwin: ({ title, text }) => ({
    file: "/usr/bin/osascript",
    args: [
      ...[
        "on run argv",
        "display notification (item 2 of argv) with title (item 1 of argv)",
        "end run",
      ].flatMap((line) => ["-e", line]),
      title,
      text,
    ],
  }),
  win32: ({ title, text }) => ({
    file: "powershell.exe",
    args: ["-NoProfile", "-NonInteractive", "-Command", TOAST],
    variables: { TENTERHOOK_TITLE: title, TENTERHOOK_TEXT: text },
  }),
};

export function desktopChannel(key: string, _: TargetOf<"desktop">, { environment }: ChannelPorts): Channel {
  const show = DESKTOPS[process.platform];
  return {
    type: "desktop",
    key,
    ...(show === undefined ? { problem: `Notifications on ${process.platform} are not supported.` } : {}),
    async send(notice, signal) {
      const text = fitted(
        notice,
        (shown) => shown,
        (shown) => shown.length <= MOST_TEXT,
      );
      const program = show?.({ title: notice.title, text });
      if (program === undefined) return {};
      await outputOf(program, program.file, SECONDS, environment, signal);
      return {};
    },
  };
}
