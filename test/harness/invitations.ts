import type { CastName, Harness } from "./harness.ts";

/** Makes an invitation by mail and a link, and gives their ids. */
export async function invitationsOf(harness: Harness, owner: CastName, address: string) {
  const by = harness.as(owner);
  await by.post("/invites", { invitee_emails: address, stream_ids: [] });
  await by.post("/invites/multiuse", {});
  const { body } = await by.get("/invites");
  const { invites } = body as { invites: { id: number; is_multiuse: boolean }[] };
  const newest = (isLink: boolean) => invites.findLast((each) => each.is_multiuse === isLink)?.id as number;
  return { invitationId: newest(false), invitationLinkId: newest(true) };
}
