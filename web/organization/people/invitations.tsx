/** The invitations that are open. */
import { Show } from "solid-js";
import {
  getInvitations,
  resendInvitation,
  revokeInvitation,
  revokeInvitationLink,
} from "../../../api/accounts/invitations.ts";
import { t } from "../../i18n/t.ts";
import { state } from "../../shared/state/state.ts";
import { nameOf } from "../../shared/text/names.ts";
import { shortTime } from "../../shared/text/times.ts";
import { announce } from "../../ui/announce.ts";
import { copyText } from "../../ui/copy.ts";
import { Keyed } from "../../ui/keyed.tsx";
import { live } from "../../ui/live.ts";
import { reportFailure } from "../../ui/notice.ts";
import { openOverlay } from "../../ui/overlay.ts";
import { call, permissionSignal } from "../calls.ts";
import { ask } from "../controls/ask.ts";
import { createFetched, WhenFetched } from "../controls/fetched.tsx";
import { AddButton, RowButton, RowText } from "../controls/rows.tsx";
import { Invite } from "./invite.tsx";
import { roleName } from "./role-name.ts";

type Invitation = Awaited<ReturnType<typeof fetchAll>>[number];

async function fetchAll() {
  return (await call(getInvitations, {})).invites;
}

export function Invitations() {
  const mayInvite = permissionSignal("can_invite_users_group");
  const mayLink = permissionSignal("create_multiuse_invite_group");
  const fetched = createFetched(
    fetchAll,
    // Another model begins to count at 0.
    live(["invitations", "generation"], () => `${state.generation} ${state.model.invitations.changes}`),
  );
  const open = (kind: "mail" | "link") => openOverlay((close) => <Invite kind={kind} onClose={close} />);
  return (
    <>
      <p class="about">{t("invitations.about")}</p>
      <Show when={mayInvite()}>
        <AddButton label={t("invitations.byMail")} run={() => open("mail")} />
      </Show>
      <Show when={mayLink()}>
        <AddButton label={t("invitations.byLink")} run={() => open("link")} />
      </Show>
      <WhenFetched fetched={fetched}>
        {(all) => (
          <Show when={all().length > 0} fallback={<p class="nothing">{t("invitations.none")}</p>}>
            <ul class="plain-list" aria-label={t("invitations.title")}>
              <Keyed each={[...all()].reverse()} by={({ id, is_multiuse }) => `${is_multiuse} ${id}`}>
                {(invitation) => <InvitationRow invitation={invitation()} />}
              </Keyed>
            </ul>
          </Show>
        )}
      </WhenFetched>
    </>
  );
}

function InvitationRow(props: { invitation: Invitation }) {
  const name = () => props.invitation.email ?? t("invitations.link");
  const expires = () => {
    const { expiry_date } = props.invitation;
    if (expiry_date === null) return t("invitations.neverExpires");
    return t("invitations.expires", { time: shortTime(expiry_date * 1000) });
  };
  const about = () => {
    const { invited_as, invited_by_user_id, is_multiuse, link_url } = props.invitation;
    const inviter = t("invitations.by", { name: nameOf(invited_by_user_id) });
    // A link that gives rights over others is shown to nobody again.
    const isHidden = is_multiuse && link_url === undefined;
    const hidden = isHidden ? [t("invitations.linkHidden")] : [];
    return [roleName(invited_as), inviter, expires(), ...hidden].join(" · ");
  };
  return (
    <li class="list-row">
      <RowText name={<bdi>{name()}</bdi>} about={about()} />
      <Show when={props.invitation.link_url}>
        {(url) => (
          <RowButton
            icon="copy"
            label={t("invitations.copyLink")}
            run={() => void copyText(url(), t("organization.copied"))}
          />
        )}
      </Show>
      <Show when={!props.invitation.is_multiuse}>
        <RowButton
          icon="send"
          label={t("invitations.resend", { name: name() })}
          run={() => void resend(props.invitation.id)}
        />
      </Show>
      <RowButton
        icon="trash"
        label={t("invitations.revoke", { name: name() })}
        run={() => askToRevoke(props.invitation, name())}
      />
    </li>
  );
}

async function resend(id: number): Promise<void> {
  const sent = await reportFailure(() => call(resendInvitation, { invite_id: id }));
  if (sent) announce(t("invitations.resent"));
}

function askToRevoke(invitation: Invitation, name: string): void {
  ask({
    title: t("invitations.revoke", { name }),
    text: t(invitation.is_multiuse ? "invitations.revokeLinkText" : "invitations.revokeText"),
    action: t("invitations.revokeAction"),
    run: () =>
      call(invitation.is_multiuse ? revokeInvitationLink : revokeInvitation, { invite_id: invitation.id }),
  });
}
