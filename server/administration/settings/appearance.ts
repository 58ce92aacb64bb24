import { organizationSettings } from "../../../api/administration/organization-settings.ts";
import { renderDescription } from "../../organization/description.ts";
import { organization } from "../../organization/organization.ts";
import { settingOf } from "../../organization/setting.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";

const rendered = new WeakMap<OrganizationState, { text: string; html: string }>();

/**
 * The organization's description as HTML, rendered once for each text. For an organization that is
 * deactivated it says that, since it is the text that people read before they sign in.
 */
export function renderOrganizationDescription(state: OrganizationState): string {
  if (!state.get(organization).isActive) return "<p>This organization has been deactivated.</p>";
  const text = settingOf(state, organizationSettings.description);
  let known = rendered.get(state);
  if (known?.text !== text) {
    known = { text, html: renderDescription(text) };
    rendered.set(state, known);
  }
  return known.html;
}
