import { organizationSettings } from "../../../api/administration/organization-settings.ts";
import type { MessageFacts } from "../../../markdown/facts.ts";
import type { RenderedMessage } from "../../../markdown/render.ts";
import { findPages, MAX_PAGES } from "../../content/external-content/linked-pages.ts";
import { type RenderContext, renderContent } from "../../content/rendering.ts";
import { settingOf } from "../../organization/setting.ts";
import type { User } from "../../people/user.ts";
import type { Queryable } from "../../platform/db/database.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";

/**
 * The pages that a message shows. Nearly all messages show none, which one look at the facts tells. What
 * programs send says what they want to show, so their links have no previews, as clients expect.
 */
export function pagesOf(
  state: OrganizationState,
  sender: User,
  { linkedUrls }: Pick<MessageFacts, "linkedUrls">,
): readonly string[] {
  if (linkedUrls.length === 0 || sender.botType !== null) return NONE;
  if (!settingOf(state, organizationSettings.inlineUrlEmbedPreview)) return NONE;
  return linkedUrls.slice(0, MAX_PAGES);
}

const NONE: readonly string[] = [];

/** A text with the previews of the pages of which something is known already. */
export async function renderWithPages(
  tx: Queryable,
  state: OrganizationState,
  content: string,
  context: RenderContext & { writer: User },
  rendered: RenderedMessage,
): Promise<RenderedMessage> {
  const urls = pagesOf(state, context.writer, rendered.facts);
  const known = await findPages(tx, state, urls);
  const hasShown = [...known.values()].some((page) => page !== null);
  return hasShown ? renderContent(state, content, { ...context, pages: known }) : rendered;
}
