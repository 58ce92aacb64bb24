import { ApiError, errors } from "../../../api/errors.ts";

/**
 * The address that the server calls for a bot, as it is stored. Whether the server may reach it is decided at
 * each call, since names get other addresses. Throws `invalidPayloadUrl`.
 */
export function parsePayloadUrl(name: string, text: string): string {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined;
  const isWeb = url?.protocol === "https:" || url?.protocol === "http:";
  if (!url || !isWeb || url.username !== "" || url.password !== "") {
    throw new ApiError(errors.invalidPayloadUrl, { name });
  }
  url.hash = "";
  return url.href;
}
