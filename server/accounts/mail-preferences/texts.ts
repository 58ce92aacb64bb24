import { pageTexts } from "../../platform/http/page-catalogue.ts";

export const text = pageTexts({
  en: {
    "missed-messages": "mails about messages that you missed",
    "sign-in-notices": "mails about sign-ins from new devices",
    welcome: "mails of welcome and news",
    digest: "weekly digests",
    "question.heading": "Get no more mails?",
    "question.text": "You get {mails} from {organization}.",
    "question.button": "Get no more",
    "done.title": "You get no more mails",
    "done.heading": "Done",
    "done.text": "You get no more {mails} from {organization}. In your settings you can change that.",
    goOn: "Go on to the {link}.",
    startPage: "start page",
    "missing.heading": "This link does not work",
    "missing.text":
      "It was not copied completely, its account is no longer there, or these mails can't be switched off. In your settings you choose which mails you get.",
  },
  de: {
    "missed-messages": "Mails über verpasste Nachrichten",
    "sign-in-notices": "Mails über Anmeldungen von neuen Geräten",
    welcome: "Mails zur Begrüßung und mit Neuigkeiten",
    digest: "wöchentliche Übersichten",
    "question.heading": "Keine Mails mehr bekommen?",
    "question.text": "Du bekommst {mails} von {organization}.",
    "question.button": "Keine mehr bekommen",
    "done.title": "Du bekommst keine Mails mehr",
    "done.heading": "Erledigt",
    "done.text":
      "Du bekommst von {organization} nicht mehr: {mails}. In deinen Einstellungen kannst du das ändern.",
    goOn: "Weiter zur {link}.",
    startPage: "Startseite",
    "missing.heading": "Dieser Link gilt nicht",
    "missing.text":
      "Er wurde nicht ganz kopiert, sein Konto gibt es nicht mehr, oder diese Mails lassen sich nicht abschalten. In deinen Einstellungen wählst du, welche Mails du bekommst.",
  },
});
