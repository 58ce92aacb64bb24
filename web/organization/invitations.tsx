/** The invitations that are open. */
import { For, Show } from "solid-js";
import {
  getInvitations,
  resendInvitation,
  revokeInvitation,
  revokeInvitationLink,
} from "../../api/invitations.ts";
import { state } from "../app/state/state.ts";
import { nameOf } from "../app/text/names.ts";
import { shortTime } from "../app/text/times.ts";
import { t } from "../i18n/t.ts";
import { announce } from "../ui/announce.ts";
import { live } from "../ui/live.ts";
import { reportFailure } from "../ui/notice.ts";
import { openOverlay } from "../ui/overlay.ts";
import { ask } from "./ask.ts";
import { call, mayLive } from "./calls.ts";
import { createFetched, WhenFetched } from "./fetched.tsx";
import { Invite } from "./invite.tsx";
import { roleName } from "./role-name.ts";
import { AddButton, RowButton, RowText } from "./rows.tsx";

type Invitation = Awaited<ReturnType<typeof fetchAll>>[number];

async function fetchAll() {
  return (await call(getInvitations, {})).invites;
}

export function Invitations() {
  const mayInvite = mayLive("can_invite_users_group");
  const mayLink = mayLive("create_multiuse_invite_group");
  const fetched = createFetched(
    fetchAll,
    live(["invitations", "generation"], () => state.model.invitations.changes + state.generation),
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
              <For each={[...all()].reverse()}>{(one) => <InvitationRow invitation={one} />}</For>
            </ul>
          </Show>
        )}
      </WhenFetched>
    </>
  );
}

function InvitationRow(props: { invitation: Invitation }) {
  const one = props.invitation;
  const name = one.email ?? t("invitations.link");
  const expires =
    one.expiry_date === null
      ? t("invitations.neverExpires")
      : t("invitations.expires", { time: shortTime(one.expiry_date * 1000) });
  const about = [
    roleName(one.invited_as),
    t("invitations.by", { name: nameOf(one.invited_by_user_id) }),
    expires,
  ].join(" · ");
  return (
    <li class="list-row">
      <RowText name={<bdi>{name}</bdi>} about={about} />
      <Show when={one.link_url}>
        {(url) => (
          <RowButton icon="copy" label={t("invitations.copyLink")} run={() => void copyText(url())} />
        )}
      </Show>
      <Show when={!one.is_multiuse}>
        <RowButton icon="send" label={t("invitations.resend", { name })} run={() => void resend(one.id)} />
      </Show>
      <RowButton icon="trash" label={t("invitations.revoke", { name })} run={() => askToRevoke(one, name)} />
    </li>
  );
}

async function copyText(text: string): Promise<void> {
  await navigator.clipboard.writeText(text);
  announce(t("organization.copied"));
}

async function resend(id: number): Promise<void> {
  const sent = await reportFailure(() => call(resendInvitation, { invite_id: id }));
  if (sent) announce(t("invitations.resent"));
}

function askToRevoke(one: Invitation, name: string): void {
  ask({
    title: t("invitations.revoke", { name }),
    text: t(one.is_multiuse ? "invitations.revokeLinkText" : "invitations.revokeText"),
    action: t("invitations.revokeAction"),
    run: () => call(one.is_multiuse ? revokeInvitationLink : revokeInvitation, { invite_id: one.id }),
  });
}
