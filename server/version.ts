/** The level of the API that the server speaks (spec Versioning 2). */
export const featureLevel = 420;

const ownVersion = "0.1.0";
// COMPAT: clients take the leading number for the release whose behaviour to expect.
export const serverVersion = `11.0-parley-${ownVersion}`;

/** What clients ask the version by: the spec's names, and the ones that existing clients read. */
export const versions = {
  service_feature_level: featureLevel,
  service_version: serverVersion,
  service_merge_base: serverVersion,
  zulip_feature_level: featureLevel,
  zulip_version: serverVersion,
  zulip_merge_base: serverVersion,
} as const;
