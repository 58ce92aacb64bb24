import { organizationSettings } from "../../../api/organization-settings.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { renderDescription } from "../channels/description.ts";
import { settingOf } from "../organization/setting.ts";

/** The address of the picture of every organization. */
export function organizationIcon(baseUrl: string): string {
  return `${baseUrl}/logo.svg`;
}

const rendered = new WeakMap<OrganizationState, { text: string; html: string }>();

/** The organization's description as HTML, rendered once for each text. */
export function renderOrganizationDescription(state: OrganizationState): string {
  const text = settingOf(state, organizationSettings.description);
  let known = rendered.get(state);
  if (known?.text !== text) {
    known = { text, html: renderDescription(text) };
    rendered.set(state, known);
  }
  return known.html;
}
