import { pageTexts } from "../../platform/http/page-catalogue.ts";

export const text = pageTexts({
  en: {
    "connect.heading": "Connect {provider} with your account in {organization}",
    "connect.button": "Sign in and connect",
    "connect.codeNeeded": "Your account has a second step. Type its code too, and your password once more.",
    back: "Back to signing in",
    "in.heading": "You are signed in",
    "in.goOn": "Go on in the app",
    "in.copy":
      "Copy this text, and go back to the app. It works once, within five minutes, and in the app alone from which you came.",
    "in.secret": "Nobody will ever ask you to send it to them.",
    "wait.heading": "Sign in with {provider}",
    "wait.text": "Your browser opens. Sign in there, copy the text that it shows, and come back.",
    "wait.wrong": "This text does not work. Copy it again, as a whole.",
    "wait.field": "The text",
    "confirm.text":
      "This signs you in to the account {email}. Go on only if it is yours, and if you have just asked for this in the app.",
    "confirm.present": "You are signed in as {email} here. That ends.",
    "refused.heading": "You can't sign in",
    "unknown.heading": "There is no such way to sign in",
    "unknown.text": "The address has a mistake, or is an old one.",
    "over.heading": "This sign-in does not work",
    "over.text":
      "It took longer than ten minutes, was used before, or was begun in another browser. Begin again.",
    "badOtp.heading": "The app has asked in a wrong way",
    "badOtp.text": "It must give one key of 64 hexadecimal digits. A newer version of the app may help.",
    "unreachable.heading": "{provider} can't sign you in now",
    "unreachable.text":
      "It did not answer, or its answer was not right. Try again. If that does not help, tell your administrator.",
    "ended.heading": "{provider} has not signed you in",
    "ended.text": "You or the provider ended the sign-in. You can begin again.",
  },
  de: {
    "connect.heading": "{provider} mit deinem Konto in {organization} verbinden",
    "connect.button": "Anmelden und verbinden",
    "connect.codeNeeded":
      "Dein Konto hat einen zweiten Faktor. Gib auch dessen Code ein, und dein Passwort noch einmal.",
    back: "Zurück zur Anmeldung",
    "in.heading": "Du bist angemeldet",
    "in.goOn": "In der App weitermachen",
    "in.copy":
      "Kopiere diesen Text, und geh zurück zur App. Er gilt einmal, fünf Minuten lang, und nur in der App, aus der du gekommen bist.",
    "in.secret": "Niemand wird dich je bitten, ihn zu schicken.",
    "wait.heading": "Mit {provider} anmelden",
    "wait.text":
      "Dein Browser öffnet sich. Melde dich dort an, kopiere den Text, den er zeigt, und komm zurück.",
    "wait.wrong": "Dieser Text gilt nicht. Kopiere ihn noch einmal, und zwar ganz.",
    "wait.field": "Der Text",
    "confirm.text":
      "Damit meldest du dich bei dem Konto {email} an. Mach nur weiter, wenn es deines ist, und wenn du das gerade in der App verlangt hast.",
    "confirm.present": "Du bist hier als {email} angemeldet. Das endet.",
    "refused.heading": "Du kannst dich nicht anmelden",
    "unknown.heading": "So kann man sich hier nicht anmelden",
    "unknown.text": "In der Adresse ist ein Fehler, oder sie ist alt.",
    "over.heading": "Diese Anmeldung gilt nicht",
    "over.text":
      "Sie hat länger als zehn Minuten gedauert, wurde schon verwendet oder in einem anderen Browser begonnen. Beginne von vorn.",
    "badOtp.heading": "Die App hat falsch gefragt",
    "badOtp.text":
      "Sie muss einen Schlüssel von 64 hexadezimalen Ziffern angeben. Vielleicht hilft eine neuere Version der App.",
    "unreachable.heading": "{provider} kann dich gerade nicht anmelden",
    "unreachable.text":
      "Es kam keine Antwort, oder keine richtige. Versuche es noch einmal. Wenn das nicht hilft, sag es deiner Verwaltung.",
    "ended.heading": "{provider} hat dich nicht angemeldet",
    "ended.text": "Du oder der Anbieter habt die Anmeldung beendet. Du kannst von vorn beginnen.",
  },
});
