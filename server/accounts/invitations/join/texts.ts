import { pageTexts } from "../../../platform/http/page-catalogue.ts";

export const text = pageTexts({
  en: {
    linkFollows: "You get a mail with a link to go on.",
    "ended.heading": "This invitation does not work",
    "ended.text": "It was used or withdrawn, has expired, or was not copied completely.",
    "ended.joined": "If you have already joined, the {link} shows how to go on.",
    "ended.start": "start page",
    "ended.ask": "If you have not, ask the person who invited you for a new invitation.",
    "done.heading": "Welcome to {organization}",
    "done.text":
      "Your account is ready. Sign in with your email address and the password that you chose, in a client that is connected to this address:",
    "done.start": "The {link} shows how to go on.",
    "sent.text":
      "You get a mail with a link by which you join {organization}. If it does not come within some minutes, look into the folder for unwanted mail, and check the address that you gave.",
  },
  de: {
    linkFollows: "Du bekommst eine Mail mit einem Link, über den es weitergeht.",
    "ended.heading": "Diese Einladung gilt nicht",
    "ended.text":
      "Sie wurde schon verwendet oder zurückgenommen, ist abgelaufen oder wurde nicht ganz kopiert.",
    "ended.joined": "Wenn du schon dabei bist, zeigt die {link}, wie es weitergeht.",
    "ended.start": "Startseite",
    "ended.ask": "Sonst bitte die Person, die dich eingeladen hat, um eine neue Einladung.",
    "done.heading": "Willkommen bei {organization}",
    "done.text":
      "Dein Konto ist bereit. Melde dich mit deiner E-Mail-Adresse und dem gewählten Passwort an, in einem Programm, das mit dieser Adresse verbunden ist:",
    "done.start": "Die {link} zeigt, wie es weitergeht.",
    "sent.text":
      "Du bekommst eine Mail mit einem Link, über den du {organization} beitrittst. Wenn sie nach einigen Minuten nicht da ist, sieh im Ordner für unerwünschte Mails nach, und prüfe die Adresse, die du angegeben hast.",
  },
});
