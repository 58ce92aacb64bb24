import { createSignal, For, Show } from "solid-js";
import { userSettings } from "../../api/people/user-settings.ts";
import type { Setting } from "../../client/model/subject.ts";
import { t } from "../i18n/t.ts";
import { Problem } from "../ui/problem.tsx";
import { AlertWords } from "./alert-words.tsx";
import { ChannelExceptions } from "./channel-exceptions.tsx";
import { createOwnSetting, OwnChoice, OwnToggle } from "./own-setting.tsx";

const columns = ["desktop", "sound", "mail", "everyone"] as const;
type Column = (typeof columns)[number];

interface Row {
  id: "direct" | "followed" | "channels";
  cells: Partial<Record<Column, Setting<boolean>>>;
}

/** Notifications on mobile devices are not there yet, so they have no column. */
const rows: readonly Row[] = [
  {
    id: "direct",
    cells: {
      desktop: userSettings.enableDesktopNotifications,
      sound: userSettings.enableSounds,
      mail: userSettings.enableOfflineEmailNotifications,
    },
  },
  {
    id: "followed",
    cells: {
      desktop: userSettings.enableFollowedTopicDesktopNotifications,
      sound: userSettings.enableFollowedTopicAudibleNotifications,
      mail: userSettings.enableFollowedTopicEmailNotifications,
      everyone: userSettings.enableFollowedTopicWildcardMentionsNotify,
    },
  },
  {
    id: "channels",
    cells: {
      desktop: userSettings.enableStreamDesktopNotifications,
      sound: userSettings.enableStreamAudibleNotifications,
      mail: userSettings.enableStreamEmailNotifications,
      everyone: userSettings.wildcardMentionsNotify,
    },
  },
];

/** Which messages notify, and where. */
export function Notifications() {
  return (
    <>
      <BrowserPermission />
      <NoticeTable />
      <h3>{t("own.notify.exceptions")}</h3>
      <ChannelExceptions />
      <h3>{t("own.notify.words")}</h3>
      <AlertWords />
      <h3>{t("own.notify.desktop")}</h3>
      <OwnChoice
        setting={userSettings.notificationSound}
        label={t("own.notify.sound")}
        choices={[
          ["zulip", t("own.notify.sound.zulip")],
          ["ding", t("own.notify.sound.ding")],
          ["none", t("own.notify.sound.none")],
        ]}
      />
      <OwnToggle setting={userSettings.pmContentInDesktopNotifications} label={t("own.notify.content")} />
      <h3>{t("own.notify.mail")}</h3>
      <OwnChoice
        setting={userSettings.emailNotificationsBatchingPeriodSeconds}
        label={t("own.notify.delay")}
        hint={t("own.notify.delayHint")}
        choices={delays()}
      />
      <OwnToggle
        setting={userSettings.messageContentInEmailNotifications}
        label={t("own.notify.mailContent")}
      />
      <OwnToggle setting={userSettings.enableLoginEmails} label={t("own.notify.login")} />
      <OwnToggle setting={userSettings.enableDigestEmails} label={t("own.notify.digest")} />
    </>
  );
}

function delays(): [number, string][] {
  const minutes = [1, 2, 5, 10, 30].map((count): [number, string] => [
    count * 60,
    t("own.notify.minutes", { count }),
  ]);
  const hours = [1, 6, 24].map((count): [number, string] => [count * 3600, t("own.notify.hours", { count })]);
  return [...minutes, ...hours];
}

/** The browser asks once. People who refused have to change it there. */
function BrowserPermission() {
  const supported = "Notification" in window;
  const [permission, setPermission] = createSignal(supported ? Notification.permission : "denied");
  const ask = async () => setPermission(await Notification.requestPermission());
  return (
    <Show when={permission() !== "granted"}>
      <div class="note-box">
        <Show when={permission() === "default"} fallback={<p>{t("own.notify.denied")}</p>}>
          <p>{t("own.notify.ask")}</p>
          <button type="button" class="button primary" onClick={() => void ask()}>
            {t("own.notify.allow")}
          </button>
        </Show>
      </div>
    </Show>
  );
}

function NoticeTable() {
  const [problem, setProblem] = createSignal<string>();
  return (
    <>
      <div class="table-frame">
        <table class="notice-table">
          <caption class="sr">{t("own.notifications")}</caption>
          <thead>
            <tr>
              <td />
              <For each={columns}>{(column) => <th scope="col">{t(`own.notify.${column}Column`)}</th>}</For>
            </tr>
          </thead>
          <tbody>
            <For each={rows}>
              {(row) => (
                <tr>
                  <th scope="row">{t(`own.notify.${row.id}`)}</th>
                  <For each={columns}>
                    {(column) => (
                      <td>
                        <Show when={row.cells[column]}>
                          {(setting) => (
                            <Cell
                              setting={setting()}
                              label={`${t(`own.notify.${row.id}`)}: ${t(`own.notify.${column}Column`)}`}
                              onProblem={setProblem}
                            />
                          )}
                        </Show>
                      </td>
                    )}
                  </For>
                </tr>
              )}
            </For>
          </tbody>
        </table>
      </div>
      <Problem text={problem()} />
    </>
  );
}

interface CellProps {
  setting: Setting<boolean>;
  label: string;
  onProblem(words: string | undefined): void;
}

function Cell(props: CellProps) {
  const own = createOwnSetting(props.setting);
  const change = async (checked: boolean) => {
    await own.change(checked);
    props.onProblem(own.saving.problem());
  };
  return (
    <label class="cell">
      <input
        type="checkbox"
        aria-label={props.label}
        checked={own.value()}
        onChange={(event) => void change(event.currentTarget.checked)}
      />
    </label>
  );
}
