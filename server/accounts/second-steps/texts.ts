import { pageTexts } from "../../platform/http/page-catalogue.ts";

export const text = pageTexts({
  en: {
    passwordAgain: "Your password, once more",
    codeOfApp: "The six digits that the app shows",
    setUp: "Set up a second step",
    required: "{organization} requires a second step of you, beside the password. Set one up to go on.",
    useApp: "Use an authenticator app",
    usePasskey: "Use a passkey",
    "app.heading": "Set up your authenticator app",
    "app.picture": "Let the app read this picture, or {link} on this device.",
    "app.open": "open the app",
    "app.secret": "Or type this secret into it:",
    confirm: "Confirm",
    "codes.heading": "Your recovery codes",
    "codes.text":
      "Keep these codes in a safe place. Each of them works once in place of your second step, if you lose it. They are not shown again.",
    goOn: "Go on",
  },
  de: {
    passwordAgain: "Dein Passwort, noch einmal",
    codeOfApp: "Die sechs Ziffern, die die App zeigt",
    setUp: "Einen zweiten Faktor einrichten",
    required:
      "{organization} verlangt von dir einen zweiten Faktor neben dem Passwort. Richte einen ein, um weiterzugehen.",
    useApp: "Authenticator-App verwenden",
    usePasskey: "Passkey verwenden",
    "app.heading": "Authenticator-App einrichten",
    "app.picture": "Lass die App dieses Bild lesen, oder {link} auf diesem Gerät.",
    "app.open": "öffne die App",
    "app.secret": "Oder gib ihr diesen Schlüssel:",
    confirm: "Bestätigen",
    "codes.heading": "Deine Wiederherstellungscodes",
    "codes.text":
      "Bewahre diese Codes sicher auf. Jeder gilt einmal anstelle deines zweiten Faktors, falls du ihn verlierst. Sie werden nicht wieder gezeigt.",
    goOn: "Weiter",
  },
});
