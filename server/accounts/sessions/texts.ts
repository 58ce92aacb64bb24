import { pageTexts } from "../../platform/http/page-catalogue.ts";

export const text = pageTexts({
  en: {
    forgotten: "Forgot your password?",
    passkey: "Sign in with a passkey",
    "passkey.closed": "No passkey was used.",
    "passkey.refused": "The passkey was not accepted. Try again, or sign in in another way.",
    continueWith: "Continue with {provider}",
    secondStep: "Second step",
    startAgain: "Start again",
    "demo.heading": "Look around as",
    "demo.text": "This is a demo. Press a name to sign in as that person.",
    "role.owner": "owner",
    "role.administrator": "administrator",
    "role.moderator": "moderator",
    "role.member": "member",
    "role.guest": "guest",
  },
  de: {
    forgotten: "Passwort vergessen?",
    passkey: "Mit einem Passkey anmelden",
    "passkey.closed": "Es wurde kein Passkey verwendet.",
    "passkey.refused":
      "Der Passkey wurde nicht angenommen. Versuche es noch einmal, oder melde dich anders an.",
    continueWith: "Weiter mit {provider}",
    secondStep: "Zweiter Faktor",
    startAgain: "Von vorn beginnen",
    "demo.heading": "Sieh dich um als",
    "demo.text": "Das ist eine Demo. Drücke auf einen Namen, um dich als diese Person anzumelden.",
    "role.owner": "Eigentümer",
    "role.administrator": "Administrator",
    "role.moderator": "Moderator",
    "role.member": "Mitglied",
    "role.guest": "Gast",
  },
});

/** What the script of passkeys says beside its button. */
export const passkeyTexts = { closed: text("passkey.closed"), refused: text("passkey.refused") };
