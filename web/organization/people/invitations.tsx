/** The invitations that are open. */
import { createMemo, Show } from "solid-js";
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
import { type Column, DataTable } from "../../ui/data-table.tsx";
import { live } from "../../ui/live.ts";
import { reportFailure } from "../../ui/notice.ts";
import { openOverlay } from "../../ui/overlay.ts";
import { call, permissionSignal } from "../calls.ts";
import { ask } from "../controls/ask.ts";
import { createFetched, WhenFetched } from "../controls/fetched.tsx";
import { AddButton, RowButton, TableName } from "../controls/rows.tsx";
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
  const columns = createMemo(columnsOf);
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
          <DataTable
            label={t("invitations.title")}
            rows={[...all()].reverse()}
            by={({ id, is_multiuse }) => `${is_multiuse} ${id}`}
            textOf={(one) => `${nameOfInvitation(one)} ${nameOf(one.invited_by_user_id)}`}
            columns={columns()}
            actions={(one) => <Actions invitation={one()} />}
            empty={t("invitations.none")}
          />
        )}
      </WhenFetched>
    </>
  );
}

const nameOfInvitation = ({ email }: Invitation) => email ?? t("invitations.link");
const inviterOf = ({ invited_by_user_id: id }: Invitation) => nameOf(id);

function expiryOf({ expiry_date: at }: Invitation): string {
  return at === null ? t("invitations.never") : shortTime(at * 1000);
}

const columnsOf = (): Column<Invitation>[] => [
  {
    ...{ id: "name", label: t("invitations.who") },
    compare: (a, b) => nameOfInvitation(a).localeCompare(nameOfInvitation(b)),
    draw: (one) => <Invited invitation={one()} />,
  },
  {
    ...{ id: "role", label: t("users.role") },
    compare: (a, b) => a.invited_as - b.invited_as,
    draw: (one) => <>{roleName(one().invited_as)}</>,
  },
  {
    ...{ id: "by", label: t("invitations.inviter") },
    compare: (a, b) => inviterOf(a).localeCompare(inviterOf(b)),
    draw: (one) => <bdi>{inviterOf(one())}</bdi>,
  },
  {
    ...{ id: "expires", label: t("invitations.until") },
    compare: (a, b) =>
      (a.expiry_date ?? Number.POSITIVE_INFINITY) - (b.expiry_date ?? Number.POSITIVE_INFINITY) || 0,
    draw: (one) => <>{expiryOf(one())}</>,
  },
];

function Invited(props: { invitation: Invitation }) {
  const about = () => {
    const { invited_as } = props.invitation;
    return [roleName(invited_as), t("invitations.by", { name: inviterOf(props.invitation) })].join(" · ");
  };
  return (
    <TableName about={about()}>
      <bdi>{nameOfInvitation(props.invitation)}</bdi>
      {/* A link that gives rights over others is shown to nobody again. */}
      <Show when={props.invitation.is_multiuse && props.invitation.link_url === undefined}>
        {" "}
        · {t("invitations.linkHidden")}
      </Show>
    </TableName>
  );
}

function Actions(props: { invitation: Invitation }) {
  const name = () => nameOfInvitation(props.invitation);
  return (
    <>
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
    </>
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
