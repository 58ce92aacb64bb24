import { organizationSettings } from "../../../api/administration/organization-settings.ts";
import { renderDescription } from "../../organization/description.ts";
import { organizationPictureUrl } from "../../organization/pictures.ts";
import { settingOf } from "../../organization/setting.ts";
import { Html, html } from "../../platform/http/page.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";

/** Which organization this is: its picture and, for people who may not know it, what it says of itself. */
export function organizationHead(state: OrganizationState): { picture: Html; about: Html } {
  const description = settingOf(state, organizationSettings.description).trim();
  return {
    picture: html`<p class="picture"><img src="${organizationPictureUrl(state, "icon")}" alt="" width="48" height="48"></p>\n`,
    // The renderer escapes what people wrote, as it does for messages.
    about: html`${description !== "" && html`<div class="about">${new Html(renderDescription(description))}</div>\n`}`,
  };
}
