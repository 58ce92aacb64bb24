import { organizationSettings } from "../../../api/organization-settings.ts";
import type { Live } from "../../platform/log/organization-state.ts";
import { renderDescription } from "../channels/description.ts";
import { settingOf } from "../organization/setting.ts";

/** The picture of every organization until one is uploaded. */
export function organizationIcon(baseUrl: string): string {
  return `${baseUrl}/logo.svg`;
}

const rendered = new WeakMap<Live, { text: string; html: string }>();

/** The organization's description as HTML; written once for each text. */
export function renderOrganizationDescription(live: Live): string {
  const text = settingOf(live, organizationSettings.description);
  let known = rendered.get(live);
  if (known?.text !== text) {
    known = { text, html: renderDescription(text) };
    rendered.set(live, known);
  }
  return known.html;
}
