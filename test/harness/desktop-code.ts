/** What a desktop app makes of the text that a person copies from the browser. `otp`: in hexadecimal. */
export async function readDesktopCode(body: string, otp: string): Promise<string> {
  const data = Buffer.from(/<pre id="code" class="wrapped">([0-9a-f]+)</.exec(body)?.[1] ?? "", "hex");
  const raw = Buffer.from(otp, "hex");
  const key = await crypto.subtle.importKey("raw", raw, "AES-GCM", false, ["decrypt"]);
  const iv = data.subarray(0, 12);
  const opened = await crypto.subtle.decrypt({ name: "AES-GCM", iv }, key, data.subarray(12));
  return Buffer.from(opened).toString();
}
