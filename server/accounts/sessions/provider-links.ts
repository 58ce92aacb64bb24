import { organization } from "../../organization/organization.ts";
import { type Html, html } from "../../platform/http/page.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { pathOf, providersOf, type SignInProvider } from "../../platform/oidc/providers.ts";
import { text } from "./texts.ts";

/** Links for those who sign in with a provider, in the order of the setting. `query` goes along. */
export function providerLinks(
  { providers }: { providers: readonly SignInProvider[] },
  state: OrganizationState,
  query: Readonly<Record<string, string>>,
): Html {
  const links = providersOf(providers, state.get(organization).host).map(
    (provider) =>
      html`<p><a class="button" href="${pathOf(provider, query)}">${text("continueWith", { provider: provider.name })}</a></p>\n`,
  );
  return html`${links}`;
}
