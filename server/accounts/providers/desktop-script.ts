/**
 * The script of the page that the desktop app shows while somebody signs in by their browser. The app has a
 * function that waits for the code in the clipboard; without it a person pastes the code into the form.
 */
export const desktopScript = `"use strict";
const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const bytesOf = (text) => Uint8Array.from(text.trim().match(/[0-9a-f]{2}/gi) ?? [], (pair) => Number.parseInt(pair, 16));
const form = document.querySelector("form");
const input = document.querySelector("#code");
const problem = document.querySelector("#problem");

async function byForm() {
  const key = crypto.getRandomValues(new Uint8Array(32));
  const cryptoKey = await crypto.subtle.importKey("raw", key, "AES-GCM", false, ["decrypt"]);
  const pasted = new Promise((resolve) => {
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const data = bytesOf(input.value);
      try {
        const text = await crypto.subtle.decrypt({ name: "AES-GCM", iv: data.slice(0, 12) }, cryptoKey, data.slice(12));
        resolve(new TextDecoder().decode(text));
      } catch {
        problem.hidden = false;
      }
    });
  });
  return { key, pasted };
}

async function signIn() {
  const bridge = window.electron_bridge;
  const { key, pasted } = bridge?.decrypt_clipboard ? bridge.decrypt_clipboard(1) : await byForm();
  const address = new URL(location.href);
  address.searchParams.set("desktop_flow_otp", hex(key));
  window.open(address.href, "_blank");
  // A form, since opening the address only asks: a link to it may stand in any message.
  const redeem = document.createElement("form");
  redeem.method = "post";
  redeem.action = "/accounts/login/subdomain/" + encodeURIComponent(await pasted);
  document.body.append(redeem);
  redeem.submit();
}

signIn();
`;
