/** The API's feature level that the server implements (spec Versioning 2). */
export const featureLevel = 420;

/** The version of this software. */
export const ownVersion = "0.1.0";
// COMPAT: clients read the leading number as the release whose behaviour they can expect.
export const serverVersion = `11.0-parley-${ownVersion}`;

/** The version fields of responses: the spec's names, and those that existing clients read. */
export const versions = {
  service_feature_level: featureLevel,
  service_version: serverVersion,
  service_merge_base: serverVersion,
  zulip_feature_level: featureLevel,
  zulip_version: serverVersion,
  zulip_merge_base: serverVersion,
} as const;
