import { Show } from "solid-js";
import { t } from "../i18n/t.ts";
import { listSections } from "../shared/channels/channel-order.ts";
import { openBox } from "../shared/compose/compose-target.ts";
import { inviteLink } from "../shared/people/invite.ts";
import { keptChoice } from "../shared/state/kept.ts";
import { state } from "../shared/state/state.ts";
import { channelName } from "../shared/text/names.ts";
import { Icon, type IconName } from "../ui/icon.tsx";
import { live } from "../ui/live.ts";

/** What somebody who is alone in an organization can do first. It ends when a second person is there. */
export function FirstSteps() {
  const hidden = keptChoice("first-steps", (stored) => stored === true);
  const first = live(["channels", "subscriptions", "folders", "settings", "generation"], () =>
    listSections()
      .flatMap(({ active }) => active)
      .at(0),
  );
  const hasChannels = live(["channels", "generation"], () => state.model.channels.byId.size > 1);
  return (
    <Show when={!hidden.value()}>
      <section class="first-steps" aria-labelledby="first-steps">
        <h2 id="first-steps">{t("first.title")}</h2>
        <ul>
          <li>
            <a class="step-row" href={inviteLink}>
              <Step icon="send" name={t("invite.people")} about={t("first.invite")} />
            </a>
          </li>
          <Show when={first()}>
            {(channelId) => (
              <li>
                <button
                  type="button"
                  class="step-row"
                  onClick={() => openBox({ kind: "channel", channelId: channelId(), topic: undefined })}
                >
                  <Step
                    icon="pencil"
                    name={t("first.topic", { channel: channelName(channelId()) })}
                    about={t("first.topicAbout")}
                  />
                </button>
              </li>
            )}
          </Show>
          <li>
            <a class="step-row" href="#channels/new">
              <Step
                icon={hasChannels() ? "check" : "hash"}
                name={t("first.channel")}
                about={t("first.channelAbout")}
                isDone={hasChannels()}
              />
            </a>
          </li>
          <li>
            <a class="step-row" href="#organization/profile">
              <Step icon="building" name={t("first.organization")} about={t("first.organizationAbout")} />
            </a>
          </li>
        </ul>
        <button type="button" class="quiet" onClick={() => hidden.keep(true)}>
          {t("first.hide")}
        </button>
      </section>
    </Show>
  );
}

function Step(props: { icon: IconName; name: string; about: string; isDone?: boolean }) {
  return (
    <>
      <Icon name={props.icon} />
      <span>
        <strong>{props.name}</strong>
        <Show when={props.isDone}>
          <span class="sr"> ({t("first.done")})</span>
        </Show>
        <span class="step-about">{props.about}</span>
      </span>
    </>
  );
}
